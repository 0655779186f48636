/** A browser opens at most six connections to a server, and the event stream needs one. */
export const MAX_CONCURRENT = 4;
/** Uploads at the same time, of all pages of a browser: other requests need connections, too. */
export const MAX_UPLOADS = 3;

/** Runs work on each thing, at most `MAX_CONCURRENT` at a time and in order, until `signal` is aborted. */
export async function forEachConcurrently<T>(
  things: readonly T[],
  work: (thing: T) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  let next = 0;
  const worker = async () => {
    for (;;) {
      const thing = things[next];
      if (thing === undefined || signal?.aborted) return;
      next += 1;
      await work(thing);
    }
  };
  await Promise.all(Array.from({ length: Math.min(MAX_CONCURRENT, things.length) }, worker));
}

/** Uploads as soon as fewer than `MAX_UPLOADS` of the browser's pages do. Without locks, each page counts for itself. */
export async function inUploadSlot<T>(signal: AbortSignal, upload: () => Promise<T>): Promise<T> {
  if (!navigator.locks) return upload();
  const taken = new AbortController();
  signal.addEventListener('abort', () => taken.abort(), { once: true });
  return new Promise((resolve, reject) => {
    const take = (): Promise<T> | undefined => {
      // Two slots may have been free at once.
      if (taken.signal.aborted) return;
      taken.abort();
      const uploading = upload();
      resolve(uploading);
      return uploading;
    };
    for (let slot = 0; slot < MAX_UPLOADS; slot += 1)
      navigator.locks.request(`isolario-upload-${slot}`, { signal: taken.signal }, take).catch(reject);
  });
}
