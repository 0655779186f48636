import { findCollectionsByTitle } from '../../api/read';
import type { Collection } from '../../api/types';
import {
  resolveTargets,
  sameName,
  type CollectionTargets,
  type PagedFolders,
  type TargetChoice,
} from './collection_targets';
import { folderKey } from './upload_plan';

/** Resolves the target collections of dropped folders, and applies the user's choices. */
export class TargetResolver {
  /** Null until they are resolved. */
  targets: CollectionTargets | null = $state.raw(null);
  /** The targets after all choices. */
  resolved: Promise<CollectionTargets>;
  #choices = new Map<string, TargetChoice>();
  #found = new Map<string, Promise<Collection[]>>();

  constructor(
    readonly folders: string[][],
    readonly collection: number | null,
    readonly paged: PagedFolders,
  ) {
    this.resolved = this.resolve();
  }

  /** Chooses the target of a folder. */
  choose(folder: string[], target: TargetChoice): void {
    this.#choices.set(folderKey(folder), target);
    this.resolved = this.resolved.then(() => this.resolve());
  }

  private async resolve(): Promise<CollectionTargets> {
    const { folders, collection, find, paged } = this;
    return (this.targets = await resolveTargets(folders, collection, this.#choices, find, paged));
  }

  private find = (parent: number | null, name: string): Promise<Collection[]> => {
    const key = `${parent}/${name}`;
    const request = this.#found.get(key) ?? findByTitle(parent, name);
    this.#found.set(key, request);
    request.catch(() => this.#found.delete(key));
    return request;
  };
}

/** Operating systems differ in the Unicode normalisation of folder names. */
async function findByTitle(parent: number | null, name: string): Promise<Collection[]> {
  const spellings = [...new Set([name, name.normalize('NFC'), name.normalize('NFD')])];
  const found = await Promise.all(
    spellings.map((spelling) => findCollectionsByTitle(parent ?? 'root', spelling)),
  );
  return found.flat().filter(({ title }) => sameName(title, name));
}
