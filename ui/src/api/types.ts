/** Types of the JSON API, by the names that the UI uses. They come from the OpenAPI document. */
import type { components } from './schema';

type Schemas = components['schemas'];

/** One value of a field, with its properties. */
export type FieldItem = Record<string, unknown>;
/** A node, media, term or file: an array of values per field. */
export type Entity = Record<string, FieldItem[]>;
export type EntityKind = 'node' | 'media' | 'taxonomy_term';

export type Field = Schemas['Field'];
export type MediaType = Schemas['MediaTypeForm'];
export type NamedTerm = Schemas['Term'];
export type TermRole = Schemas['TermRole'];
export type FieldRoles = Schemas['FieldRoles'];
export type FileKind = Schemas['FileKind'];
export type ContentModel = Schemas['ContentModelAnswer'];

export type User = Schemas['SignedIn'];
export type Session = Schemas['SessionState'];
export type RepositoryIdentity = Schemas['RepositoryIdentity'];
export type IdentityChanges = Schemas['IdentityChanges'];

export type Item = Schemas['Item'];
export type ItemPages = Schemas['ItemPages'];
export type ItemDetail = Schemas['ItemWithAncestors'];
export type Collection = Schemas['Collection'];
export type CollectionCount = Schemas['CollectionCount'];
export type Counts = Schemas['Counts'];
export type HoldingsReport = Schemas['HoldingsReport'];
export type ItemFacets = Schemas['ItemFacets'];
export type FacetValues = Schemas['SearchFacet'];
export type FacetValue = Schemas['SearchFacetValue'];
export type Histogram = Schemas['SearchHistogram'];
export type Suggestions = Schemas['SearchSuggestions'];
export type Media = Schemas['Media'];
export type Crop = Schemas['Crop'];
/** The crop of an original picture, and then its rotation in degrees clockwise. */
export type PictureAdjustment = Required<Schemas['PictureAdjustment']>;
export type ItemPicture = Schemas['ItemPicture'];
export type ItemJobs = Schemas['ItemJobs'];
export type Job = Schemas['Job'];
export type Revision = Schemas['Revision'];
export type Term = Schemas['TermInList'];
export type Label = Schemas['Label'];
export type Account = Schemas['UserAccount'];
export type OfferedSecondFactor = Schemas['OfferedSecondFactor'];
export type PersonInCollection = Schemas['PersonInCollection'];
export type Colleague = Schemas['Colleague'];
export type Role = Schemas['RoleDetails'];
export type NewRole = Schemas['NewRole'];
export type RoleChanges = Schemas['RoleChanges'];
export type Permission = Schemas['Permission'];
export type AccountChanges = Schemas['AccountChanges'];
export type NewAccount = Schemas['NewAccount'];
export type AccessToken = Schemas['AccessToken'];
export type NewToken = Schemas['NewAccessToken'];
/** With the token itself, which no other answer has. */
export type IssuedToken = Schemas['IssuedAccessToken'];
export type ShareLink = Schemas['ShareLink'];
export type NewShareLink = Schemas['NewShareLink'];
/** With its address, which no other answer has. */
export type IssuedShareLink = Schemas['IssuedShareLink'];
/** What a share link shows. */
export type OpenedLink = Schemas['OpenedLink'];
export type FixityStatus = Schemas['FixityStatus'];
export type ServerStatus = Schemas['ServerStatus'];
export type LanStatus = Schemas['LanStatus'];
export type RecentRequest = Schemas['RecentRequest'];
export type RecentRequests = Schemas['RecentRequests'];
export type QrCode = Schemas['QrCode'];
export type Change = Schemas['Change'];
/** A change of many items, and how far it is. */
export type Batch = Schemas['BatchStatus'];
export type BatchAct = Schemas['BatchActName'];
/** What names the items of a batch. */
export type BatchItems = Schemas['BatchItems'];
/** A part of a text in which words of a search stand. */
export type Passage = Schemas['SearchPassage'];
/** Where words stand in the text of an item's files. */
export type ItemMarks = Schemas['ItemMarks'];
export type BatchNews = Schemas['BatchNews'];
export type BatchItem = Schemas['BatchItemOutcome'];
export type BatchPreview = Schemas['BatchPreview'];
export type PreviewItem = Schemas['PreviewItem'];
export type ItemChange = Schemas['ItemChange'];
export type TextMatch = Schemas['TextMatch'];
export type Activity = Schemas['Activity'];
export type ActivityEntry = Schemas['ActivityEntry'];
export type SavedSearch = Schemas['SavedSearch'];
export type NewSavedSearch = Schemas['NewSavedSearch'];
export type SavedSearchCount = Schemas['SavedSearchCount'];
export type WatchedFolder = Schemas['WatchedFolder'];
export type WatchedFile = Schemas['WatchedFile'];
export type WatchCounts = Schemas['WatchCounts'];
/** The rule of a watched folder, without omitted properties. */
export type WatchRule = Required<Schemas['Rule']>;
export type DryRun = Schemas['DryRun'];
export type DryRunFile = Schemas['ForeseenFile'];

/** Lists of items that are no collection. */
export type View = 'all' | 'unfiled' | 'unpublished' | 'without_original' | 'recent' | 'waiting';
export type SortKey =
  'title' | 'created' | 'changed' | 'nid' | 'weight' | 'date' | 'relevance' | `field_${string}`;

export interface ItemQuery {
  view: View;
  collection?: number;
  /** Everything below the collection, not its direct members only. */
  below?: boolean;
  q?: string;
  /** False: words are found only as they are typed. */
  stems?: false;
  sort: SortKey;
  order: 'asc' | 'desc';
  /** Values of facets: `subject:12`. */
  chosen?: string[];
  /** EDTF. */
  date?: string;
  /** Term ids, separated by commas. */
  term?: string;
  /** Field names, separated by commas. */
  has?: string;
  lacks?: string;
  fields?: string;
}
