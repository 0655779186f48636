/** Computes SHA-512 checksums in a worker, so that the page stays responsive. */
import { sha512 } from '@noble/hashes/sha2';
import { bytesToHex } from '@noble/hashes/utils';

addEventListener('message', ({ data }: MessageEvent<File>) => void answer(data));

async function answer(file: File): Promise<void> {
  try {
    postMessage({ sha512: await checksum(file) });
  } catch (error) {
    postMessage({ failure: error instanceof Error ? error.message : String(error) });
  }
}

async function checksum(file: File): Promise<string> {
  const sum = sha512.create();
  const reader = file.stream().getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return bytesToHex(sum.digest());
    sum.update(value);
  }
}
