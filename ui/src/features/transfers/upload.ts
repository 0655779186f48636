import { ApiError, errorOfText } from '../../api/errors';
import { inUploadSlot } from '../../api/concurrency';
import { cancelUpload, uploadFile } from '../../desktop';
import type { Source } from './dropped_files';
import { sendUploadRequest, type UploadResponse, type UploadRequest } from '../../api/exchange';
import { RESUMABLE_THRESHOLD, uploadInChunks, type UploadHandle } from './resumable_upload';

/** A file and its upload target. */
export interface FileUpload {
  id: string;
  source: Source;
  nid: number;
  mediaType: string;
  useTid: number;
  /** `public://…`, not encoded. */
  contentLocation: string;
  mime: string;
  ifMatch: string | null;
  /** Kept between attempts, so that a resumable upload continues. */
  handle: UploadHandle;
}

export interface UploadTask {
  /**
   * Resolves with the address of the new media, null for a replacement. Rejects with ApiError,
   * ServerUnreachable or AbortError.
   */
  done: Promise<string | null>;
  cancel: () => void;
}

type ProgressHandler = (sent: number, total: number) => void;

export function startUpload(upload: FileUpload, onProgress: ProgressHandler): UploadTask {
  return 'path' in upload.source
    ? uploadByWindow(upload, upload.source.path, onProgress)
    : uploadByBrowser(upload, upload.source.file, onProgress);
}

/** The upload endpoint. */
export function uploadPath(nid: number, mediaType: string, useTid: number): string {
  return `/node/${nid}/media/${encodeURIComponent(mediaType)}/${useTid}`;
}

function uploadByBrowser(upload: FileUpload, file: File, onProgress: ProgressHandler): UploadTask {
  const controller = new AbortController();
  const { signal } = controller;
  const path = uploadPath(upload.nid, upload.mediaType, upload.useTid);
  const headers = uploadHeaders(upload);
  const send = () =>
    file.size > RESUMABLE_THRESHOLD
      ? uploadInChunks(
          { file, path, headers, handle: upload.handle, signal, onProgress },
          { send: sendUploadRequest, pause: sleep },
        )
      : uploadWhole({ method: 'PUT', path, headers, body: file, signal }, file.size, onProgress);
  const done = inUploadSlot(signal, send);
  return { done: done.then((answer) => answer.header('Location')), cancel: () => controller.abort() };
}

async function uploadWhole(
  upload: UploadRequest,
  total: number,
  onProgress: ProgressHandler,
): Promise<UploadResponse> {
  const answer = await sendUploadRequest({ ...upload, onSent: (sent) => onProgress(sent, total) });
  if (answer.status >= 200 && answer.status < 300) return answer;
  throw errorOfText(answer.text, answer);
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

function uploadHeaders(upload: FileUpload): Record<string, string> {
  const headers: Record<string, string> = {
    'Content-Type': upload.mime,
    // Browsers reject header values beyond Latin-1.
    'Content-Location': encodeURI(upload.contentLocation).replace(/[?#]/g, encodeURIComponent),
    'X-Content-Location-Encoding': 'percent',
  };
  if (upload.ifMatch) headers['If-Match'] = upload.ifMatch;
  return headers;
}

function uploadByWindow(upload: FileUpload, path: string, onProgress: ProgressHandler): UploadTask {
  // The window and its server share a computer: the file is sent in one request, whatever its size.
  const { source: _source, handle: _handle, ...rest } = upload;
  let cancelled = false;
  const result = uploadFile({ ...rest, path }, ({ sent, total }) => onProgress(sent, total));
  const done = result.then(
    ({ status, location, code, message }) => {
      if (status >= 200 && status < 300) return location;
      if (cancelled) throw new DOMException('cancelled', 'AbortError');
      throw new ApiError(code, message ?? String(status));
    },
    (error: unknown) => {
      if (cancelled) throw new DOMException('cancelled', 'AbortError');
      throw new ApiError(null, error instanceof Error ? error.message : String(error));
    },
  );
  const cancel = () => {
    cancelled = true;
    void cancelUpload(upload.id);
  };
  return { done, cancel };
}
