/** Where what is in dropped folders goes: into a collection of that name which is here already, or into a new one. */
import { forEach } from '../api/several';
import type { Collection } from '../api/types';
import { folderKey } from './plan';

/** Where the files of a folder go. */
export interface Home {
  folder: string[];
  /** Collections of that name in the place where the folder goes. */
  here: Collection[];
  /** The one of them that takes the files; null: a new collection. */
  chosen: number | null;
}
/** By the key of the folder. */
export type Homes = ReadonlyMap<string, Home>;
export type Choices = ReadonlyMap<string, number | null>;

/** Asks for the collections of a name in another one; null is the top. */
type Find = (parent: number | null, name: string) => Promise<Collection[]>;

/**
 * Where each of the folders goes that are dropped on a place: where somebody chose, else into the first collection of
 * that name. What is in a new collection is new.
 */
export async function homesFor(
  folders: string[][],
  place: number | null,
  choices: Choices,
  find: Find,
): Promise<Homes> {
  const homes = new Map<string, Home>();
  const deepest = Math.max(0, ...folders.map((folder) => folder.length));
  for (let depth = 1; depth <= deepest; depth += 1) {
    await forEach(
      folders.filter((folder) => folder.length === depth),
      async (folder) => {
        const key = folderKey(folder);
        const outer = homes.get(folderKey(folder.slice(0, -1)));
        const isNew = depth > 1 && (outer?.chosen ?? null) === null;
        const here = isNew ? [] : await find(outer?.chosen ?? place, folder.at(-1) ?? '');
        homes.set(key, { folder, here, chosen: choiceAmong(here, choices.get(key)) });
      },
    );
  }
  return homes;
}

function choiceAmong(here: Collection[], wanted: number | null | undefined): number | null {
  const isThere = wanted === null || here.some(({ nid }) => nid === wanted);
  return wanted !== undefined && isThere ? wanted : (here[0]?.nid ?? null);
}

/** Whether somebody would call two names the same: case and the way in which accents are written do not matter. */
export function sameName(a: string, b: string): boolean {
  return plain(a) === plain(b);
}

const plain = (name: string): string => name.normalize('NFC').trim().toLocaleLowerCase();
