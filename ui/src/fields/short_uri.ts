/** Namespaces of authority files and their usual prefixes. */
const PREFIXES: [string, string][] = [
  ['http://purl.org/coar/resource_type/', 'coar:'],
  ['http://id.loc.gov/vocabulary/resourceTypes/', 'lc:'],
  ['http://id.loc.gov/vocabulary/iso639-2/', 'iso639-2:'],
  ['http://id.loc.gov/vocabulary/iso639-1/', 'iso639-1:'],
  ['http://id.loc.gov/vocabulary/countries/', 'country:'],
  ['http://id.loc.gov/vocabulary/relators/', 'relators:'],
  ['http://id.loc.gov/authorities/subjects/', 'lcsh:'],
  ['http://id.loc.gov/authorities/names/', 'naf:'],
  ['http://id.loc.gov/authorities/genreForms/', 'lcgft:'],
  ['http://id.loc.gov/vocabulary/graphicMaterials/', 'tgm:'],
  ['http://id.loc.gov/ontologies/bibframe/', 'bf:'],
  ['http://vocab.getty.edu/aat/', 'aat:'],
  ['http://vocab.getty.edu/tgn/', 'tgn:'],
  ['http://www.wikidata.org/entity/', 'wd:'],
  ['http://viaf.org/viaf/', 'viaf:'],
  ['http://pcdm.org/use#', 'pcdmuse:'],
  ['http://pcdm.org/models#', 'pcdm:'],
  ['http://purl.org/dc/dcmitype/', 'dcmitype:'],
  ['http://schema.org/', 'schema:'],
  ['http://sws.geonames.org/', 'geonames:'],
];

/** Shortens a URI for display. */
export function shortUri(uri: string): string {
  const plain = uri.replace(/^https:/, 'http:');
  for (const [base, prefix] of PREFIXES) {
    if (plain.startsWith(base) && plain.length > base.length) return prefix + plain.slice(base.length);
  }
  return uri.replace(/^https?:\/\/(www\.)?/, '').replace(/\/$/, '');
}
