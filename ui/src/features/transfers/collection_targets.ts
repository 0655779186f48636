/** Targets of dropped folders: an existing collection of the same name, or a new one. */
import { forEachConcurrently } from '../../api/concurrency';
import type { Collection } from '../../api/types';
import { folderKey } from './upload_plan';

/** What takes the files of a folder: an existing collection by its id, a new collection (null), or a new paged item. */
export type TargetChoice = number | null | 'paged';

/** The target of a folder. */
export interface CollectionTarget {
  folder: string[];
  /** Existing collections with the name of the folder, in the target of the outer folder. */
  existing: Collection[];
  /** Whether the folder can become a paged item, its files the pages. */
  mayBePaged: boolean;
  chosen: TargetChoice;
}
/** Targets by folder key. */
export type CollectionTargets = ReadonlyMap<string, CollectionTarget>;
export type TargetChoices = ReadonlyMap<string, TargetChoice>;

/** Keys of folders that can become a paged item, and of those for which that is proposed. */
export interface PagedFolders {
  possible: ReadonlySet<string>;
  proposed: ReadonlySet<string>;
}

/** Finds collections by title below another; null: at the top level. */
type FindCollections = (parent: number | null, name: string) => Promise<Collection[]>;

/**
 * Resolves the target of each folder: the user's choice, otherwise the first collection of that name, otherwise what is
 * proposed. Below a new collection everything is new.
 */
export async function resolveTargets(
  folders: string[][],
  place: number | null,
  choices: TargetChoices,
  find: FindCollections,
  paged: PagedFolders,
): Promise<CollectionTargets> {
  const targets = new Map<string, CollectionTarget>();
  const deepest = Math.max(0, ...folders.map((folder) => folder.length));
  for (let depth = 1; depth <= deepest; depth += 1) {
    await forEachConcurrently(
      folders.filter((folder) => folder.length === depth),
      async (folder) => {
        const key = folderKey(folder);
        const outer = targets.get(folderKey(folder.slice(0, -1)));
        const above = depth > 1 ? (outer?.chosen ?? null) : place;
        const isNew = depth > 1 && typeof above !== 'number';
        const existing = isNew || above === 'paged' ? [] : await find(above, folder.at(-1) ?? '');
        const mayBePaged = paged.possible.has(key);
        const usual = existing[0]?.nid ?? (paged.proposed.has(key) ? 'paged' : null);
        const wanted = choices.get(key);
        const isPossible = wanted === 'paged' ? mayBePaged : isThere(existing, wanted);
        const chosen = wanted !== undefined && isPossible ? wanted : usual;
        targets.set(key, { folder, existing, mayBePaged, chosen });
      },
    );
  }
  return targets;
}

function isThere(existing: Collection[], wanted: number | null | undefined): boolean {
  return wanted === null || existing.some(({ nid }) => nid === wanted);
}

/** Compares names without regard to case and Unicode normalisation. */
export function sameName(a: string, b: string): boolean {
  return normalizeName(a) === normalizeName(b);
}

const normalizeName = (name: string): string => name.normalize('NFC').trim().toLocaleLowerCase();
