/** SHA-512 of what somebody is about to bring, as the repository makes it of what it keeps. */
import { checksumOf } from '../desktop';
import type { Source } from './dropped';

type Answer = { sha512: string } | { failure: string };

/** Makes checksums, lower-case hexadecimal, one after the other; `end` stops in the middle of one. */
export interface Digester {
  checksum: (source: Source) => Promise<string>;
  end: () => void;
}

export function startDigester(): Digester {
  let worker: Worker | null = null;
  return {
    checksum: (source) => {
      if ('path' in source) return checksumOf(source.path);
      worker ??= new Worker(new URL('./digest.worker.ts', import.meta.url), { type: 'module' });
      return ask(worker, source.file);
    },
    end: () => worker?.terminate(),
  };
}

function ask(worker: Worker, file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<Answer>) =>
      'sha512' in data ? resolve(data.sha512) : reject(new Error(data.failure));
    worker.onerror = (event) => reject(new Error(event.message));
    worker.postMessage(file);
  });
}
