/** SHA-512 checksums of files before their upload. */
import { checksumOfPath } from '../../desktop';
import type { Source } from './dropped_files';

type DigestResult = { sha512: string } | { failure: string };

/** Computes checksums (lower-case hexadecimal) one after the other; `stop` cancels the current one. */
export interface Digester {
  checksum: (source: Source) => Promise<string>;
  stop: () => void;
}

export function startDigester(): Digester {
  let worker: Worker | null = null;
  return {
    checksum: (source) => {
      if ('path' in source) return checksumOfPath(source.path);
      worker ??= new Worker(new URL('./digest.worker.ts', import.meta.url), { type: 'module' });
      return digestInWorker(worker, source.file);
    },
    stop: () => worker?.terminate(),
  };
}

function digestInWorker(worker: Worker, file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<DigestResult>) =>
      'sha512' in data ? resolve(data.sha512) : reject(new Error(data.failure));
    worker.onerror = (event) => reject(new Error(event.message));
    worker.postMessage(file);
  });
}
