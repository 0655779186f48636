import { expect, it } from 'vitest';
import { shortUri } from './short_uri';

it.each([
  ['http://purl.org/coar/resource_type/c_c513', 'coar:c_c513'],
  ['http://vocab.getty.edu/aat/300028094', 'aat:300028094'],
  ['https://schema.org/Book', 'schema:Book'],
  ['https://example.org/terms/7/', 'example.org/terms/7'],
])('shortens %s to %s', (uri, short) => expect(shortUri(uri)).toBe(short));
