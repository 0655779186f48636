/** Whether files of a MIME type may have pages that can become items of their own. The server knows the same ones. */
export function hasPages(mime: string): boolean {
  return ['image/tiff', 'image/tiff-fx', 'application/pdf'].includes(
    mime.split(';')[0]?.trim().toLowerCase() ?? '',
  );
}

/** The server makes no more pages of one file. */
export const MAX_PAGES = 5000;
