/** Groups a fingerprint by four bytes. */
export function fingerprintGroups(fingerprint: string): string[] {
  return fingerprint.match(/(?:..:?){1,4}/g)?.map((group) => group.replace(/:$/, '')) ?? [];
}
