/** A fingerprint in groups of four pairs, as it is read out. */
export function groups(fingerprint: string): string[] {
  return fingerprint.match(/(?:..:?){1,4}/g)?.map((group) => group.replace(/:$/, '')) ?? [];
}
