/** Shapes of the server's answers. Resources are the interface's item arrays; lists are `/api/v1`. */

/** One item of a field (interface, Shared item shapes). */
export type FieldItem = Record<string, unknown>;
/** A node, media, term or file: every field an array of items. */
export type Entity = Record<string, FieldItem[]>;
export type EntityKind = 'node' | 'media' | 'taxonomy_term';

export interface Field {
  name: string;
  label: string;
  type: string;
  required: boolean;
  /** How many values at most; -1 is any number. */
  cardinality: number;
  description?: string | null;
  max_length?: number | null;
  min?: number | null;
  target_type?: string | null;
  target_bundles?: string[] | null;
  auto_create?: boolean | null;
  allowed_values?: { value: string; label: string }[] | null;
  authority_sources?: Record<string, string> | null;
  file_extensions?: string[] | null;
}

export interface Bundle {
  label: string;
  fields: Field[];
}
export interface MediaType extends Bundle {
  source_field: string;
  file_extensions: string[];
}
export interface NamedTerm {
  tid: number;
  name: string;
  uri: string | null;
}
export interface ContentModel {
  node_types: Record<string, Bundle>;
  media_types: Record<string, MediaType>;
  vocabularies: Record<string, Bundle>;
  relators: Record<string, string>;
  media_uses: NamedTerm[];
  models: NamedTerm[];
}

export interface User {
  uid: number;
  name: string;
  roles: string[];
  permissions: string[];
}
export interface Session {
  user: User | null;
  csrf_token: string | null;
  logout_token: string | null;
  repository: { name: string; version: string; base_url: string };
  window: boolean;
}

export interface Picture {
  url: string;
  width: number | null;
  height: number | null;
}
export interface Item {
  nid: number;
  uuid: string;
  type: string;
  title: string;
  status: boolean;
  model: NamedTerm | null;
  /** First EDTF date of the item. */
  date: string | null;
  changed: string;
  is_collection: boolean;
  members: number;
  vid: number;
  picture: Picture | null;
  mime: string | null;
  media_count: number;
}
export interface ItemDetail extends Item {
  ancestors: { nid: number; title: string }[];
}
export interface ItemPage {
  items: Item[];
  next: string | null;
  total: number;
}

export interface Collection {
  nid: number;
  title: string;
  status: boolean;
  items: number;
  subcollections: number;
}
export interface CollectionPage {
  collections: Collection[];
  next: string | null;
  total: number;
}

export interface Counts {
  all: number;
  unfiled: number;
  unpublished: number;
  without_original: number;
  recent: number;
  collections: number;
}

export interface MediaFile {
  fid: number;
  filename: string;
  uri: string;
  url: string;
  download_url: string;
  view_url: string;
  sha512: string | null;
}
export interface Media {
  mid: number;
  vid: number;
  bundle: string;
  name: string;
  status: boolean;
  uses: { tid: number; name: string }[];
  mime: string | null;
  size: number | null;
  width: number | null;
  height: number | null;
  changed: string;
  file: MediaFile | null;
}
export interface ListedMedia extends Media {
  node: { nid: number; title: string } | null;
}
export interface MediaPage {
  media: ListedMedia[];
  next: string | null;
  total: number;
}

export interface Revision {
  vid: number;
  timestamp: string;
  user: { uid: number; name: string } | null;
  log: string | null;
  current: boolean;
  door: string | null;
}

export interface Term {
  tid: number;
  uuid: string;
  name: string;
  vocabulary: string;
  uri: string | null;
  uses: number;
}
export interface TermPage {
  terms: Term[];
  next: string | null;
  total: number;
}

export interface Label {
  target_type: string;
  target_id: number;
  label: string;
  bundle: string | null;
  uri: string | null;
  picture_url: string | null;
}

export interface Change {
  id: number;
  at: string;
  actor: { uid: number; name: string } | null;
  door: string;
  action: 'create' | 'update' | 'delete';
  kind: string;
  entity_id: number;
  vid: number | null;
  label: string | null;
  parents: number[];
}

/** The views beside the collections. */
export type View = 'all' | 'unfiled' | 'unpublished' | 'without_original' | 'recent';
export type SortKey = 'title' | 'created' | 'changed' | 'nid' | 'weight' | 'date';

export interface ItemQuery {
  view: View;
  collection?: number;
  q?: string;
  sort: SortKey;
  order: 'asc' | 'desc';
  model?: number;
}
