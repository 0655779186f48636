/** Looks for files that the repository already has. */
import { apiClient, unwrap } from './client';
import type { components } from './schema';

/** An item that holds the same bytes. */
export type KnownBytes = components['schemas']['KnownBytes'];

/** Maximum number of sizes in one request. */
const MAX_SIZES = 200;

/** Returns those sizes, in bytes, that some stored file has. */
export async function findKnownSizes(sizes: number[], signal: AbortSignal): Promise<Set<number>> {
  const known = new Set<number>();
  for (let first = 0; first < sizes.length; first += MAX_SIZES) {
    const query = { sizes: sizes.slice(first, first + MAX_SIZES).join(',') };
    const answer = await unwrap(apiClient().GET('/api/v1/known-bytes', { params: { query }, signal }));
    answer.sizes.forEach((size) => known.add(size));
  }
  return known;
}

/** Returns the item that holds these bytes (SHA-512, lower-case hexadecimal), if any. */
export async function findItemWithBytes(sha512: string, signal: AbortSignal): Promise<KnownBytes | null> {
  const query = { sha512 };
  const answer = await unwrap(apiClient().GET('/api/v1/known-bytes', { params: { query }, signal }));
  return answer.known[0] ?? null;
}
