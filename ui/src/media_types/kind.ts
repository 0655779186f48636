/** What the program knows about one media type that files can become. */
export interface Kind {
  /** Name of the media type, as in the upload address. */
  mediaType: string;
  /** External URI of the model that an item made from such a file gets. */
  modelUri: string;
  /** MIME type by file name extension, for files whose system does not say. */
  mimes: Record<string, string>;
}

export const MODEL = {
  image: 'http://purl.org/coar/resource_type/c_c513',
  audio: 'http://purl.org/coar/resource_type/c_18cc',
  video: 'http://purl.org/coar/resource_type/c_12ce',
  document: 'https://schema.org/DigitalDocument',
  binary: 'http://purl.org/coar/resource_type/c_1843',
  collection: 'http://purl.org/dc/dcmitype/Collection',
  paged: 'https://schema.org/Book',
  page: 'http://id.loc.gov/ontologies/bibframe/part',
} as const;

export const ORIGINAL_FILE = 'http://pcdm.org/use#OriginalFile';

/** What a further file of an item is most often for, the likeliest first. */
export const LIKELY_USES = [
  ORIGINAL_FILE,
  'http://pcdm.org/use#PreservationMasterFile',
  'http://pcdm.org/use#ServiceFile',
  'http://pcdm.org/use#IntermediateFile',
  'http://pcdm.org/use#ThumbnailImage',
];
