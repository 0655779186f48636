import { collectionsTitled } from '../api/read';
import type { Collection } from '../api/types';
import { homesFor, sameName, type Homes } from './homes';
import { folderKey } from './plan';

/** The folders that somebody is about to bring, and the collections that they go into. */
export class Folders {
  /** Where each of them goes; null as long as that is not known. */
  homes: Homes | null = $state.raw(null);
  /** Where they go after all that was chosen. */
  settled: Promise<Homes>;
  #choices = new Map<string, number | null>();
  #known = new Map<string, Promise<Collection[]>>();

  constructor(
    readonly folders: string[][],
    readonly place: number | null,
  ) {
    this.settled = this.look();
  }

  /** The files of a folder go into this collection; null: into a new one. */
  choose(folder: string[], nid: number | null): void {
    this.#choices.set(folderKey(folder), nid);
    this.settled = this.settled.then(() => this.look());
  }

  private async look(): Promise<Homes> {
    return (this.homes = await homesFor(this.folders, this.place, this.#choices, this.find));
  }

  private find = (parent: number | null, name: string): Promise<Collection[]> => {
    const key = `${parent}/${name}`;
    const asked = this.#known.get(key) ?? titled(parent, name);
    this.#known.set(key, asked);
    asked.catch(() => this.#known.delete(key));
    return asked;
  };
}

/** Systems differ in how they write accents in the names of folders. */
async function titled(parent: number | null, name: string): Promise<Collection[]> {
  const spellings = [...new Set([name, name.normalize('NFC'), name.normalize('NFD')])];
  const found = await Promise.all(spellings.map((spelling) => collectionsTitled(parent ?? 'root', spelling)));
  return found.flat().filter(({ title }) => sameName(title, name));
}
