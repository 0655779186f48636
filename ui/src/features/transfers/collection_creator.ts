import { idOf } from '../../api/resources';
import type { Entity } from '../../api/types';
import type { Step } from '../../state/undo_stack';
import { newStep } from '../../state/undo_steps';
import type { CollectionTargets } from './collection_targets';
import { folderKey } from './upload_plan';

interface CollectionCreatorOptions {
  targets: CollectionTargets;
  /** The collection that outermost folders go into; null: none. */
  parent: number | null;
  create: (title: string, parent: number | null, isPaged: boolean) => Promise<Entity>;
  /** Receives a step for each collection or paged item that is created. */
  steps: Step[];
}

/**
 * Answers the collection or paged item of a folder: an existing one, or a new one. A new one is created once, after the
 * collection of the outer folder, when the first file of the folder is uploaded.
 */
export function collectionCreator({ targets, parent, create, steps }: CollectionCreatorOptions) {
  const created = new Map<string, Promise<number | null>>();
  const collectionOf = (folder: string[]): Promise<number | null> => {
    const name = folder.at(-1);
    if (name === undefined) return Promise.resolve(parent);
    const key = folderKey(folder);
    const chosen = targets.get(key)?.chosen ?? null;
    if (typeof chosen === 'number') return Promise.resolve(chosen);
    const pending = created.get(key) ?? createFor(folder.slice(0, -1), name, chosen === 'paged');
    created.set(key, pending);
    // After a failure the next file of the folder, or a retry, tries again.
    pending.catch(() => created.delete(key));
    return pending;
  };
  const createFor = async (outer: string[], name: string, isPaged: boolean): Promise<number> => {
    const collection = await create(name, await collectionOf(outer), isPaged);
    steps.push(newStep('node', collection));
    return idOf('node', collection);
  };
  return collectionOf;
}
