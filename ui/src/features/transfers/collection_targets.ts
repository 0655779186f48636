/** Targets of dropped folders: an existing collection of the same name, or a new one. */
import { forEachConcurrently } from '../../api/concurrency';
import type { Collection } from '../../api/types';
import { folderKey } from './upload_plan';

/** The target of a folder. */
export interface CollectionTarget {
  folder: string[];
  /** Existing collections with the name of the folder, in the target of the outer folder. */
  existing: Collection[];
  /** The existing collection that takes the files; null: a new collection. */
  chosen: number | null;
}
/** Targets by folder key. */
export type CollectionTargets = ReadonlyMap<string, CollectionTarget>;
export type TargetChoices = ReadonlyMap<string, number | null>;

/** Finds collections by title below another; null: at the top level. */
type FindCollections = (parent: number | null, name: string) => Promise<Collection[]>;

/**
 * Resolves the target of each folder: the user's choice, otherwise the first collection of that name. Below a
 * new collection everything is new.
 */
export async function resolveTargets(
  folders: string[][],
  place: number | null,
  choices: TargetChoices,
  find: FindCollections,
): Promise<CollectionTargets> {
  const targets = new Map<string, CollectionTarget>();
  const deepest = Math.max(0, ...folders.map((folder) => folder.length));
  for (let depth = 1; depth <= deepest; depth += 1) {
    await forEachConcurrently(
      folders.filter((folder) => folder.length === depth),
      async (folder) => {
        const key = folderKey(folder);
        const outer = targets.get(folderKey(folder.slice(0, -1)));
        const isNew = depth > 1 && (outer?.chosen ?? null) === null;
        const existing = isNew ? [] : await find(outer?.chosen ?? place, folder.at(-1) ?? '');
        targets.set(key, { folder, existing, chosen: chooseTarget(existing, choices.get(key)) });
      },
    );
  }
  return targets;
}

function chooseTarget(existing: Collection[], wanted: number | null | undefined): number | null {
  const isThere = wanted === null || existing.some(({ nid }) => nid === wanted);
  return wanted !== undefined && isThere ? wanted : (existing[0]?.nid ?? null);
}

/** Compares names without regard to case and Unicode normalisation. */
export function sameName(a: string, b: string): boolean {
  return normalizeName(a) === normalizeName(b);
}

const normalizeName = (name: string): string => name.normalize('NFC').trim().toLocaleLowerCase();
