/** Which files the repository has already. */
import { api, data } from './client';
import type { components } from './schema';

/** Bytes that an item holds already. */
export type KnownBytes = components['schemas']['KnownBytes'];

/** Sizes that one request may name. */
const MOST_SIZES = 200;

/** Those of the sizes, in bytes, that a file of the repository has. */
export async function knownSizes(sizes: number[], signal: AbortSignal): Promise<Set<number>> {
  const known = new Set<number>();
  for (let first = 0; first < sizes.length; first += MOST_SIZES) {
    const query = { sizes: sizes.slice(first, first + MOST_SIZES).join(',') };
    const answer = await data(api().GET('/api/v1/known-bytes', { params: { query }, signal }));
    answer.sizes.forEach((size) => known.add(size));
  }
  return known;
}

/** The item that holds these bytes (SHA-512, lower-case hexadecimal) already, if any. */
export async function holderOf(sha512: string, signal: AbortSignal): Promise<KnownBytes | null> {
  const query = { sha512 };
  const answer = await data(api().GET('/api/v1/known-bytes', { params: { query }, signal }));
  return answer.known[0] ?? null;
}
