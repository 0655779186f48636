import { SvelteMap } from 'svelte/reactivity';
import { readLabels } from './read';
import type { Label } from './types';

/** Names of referenced things, asked for in one request for all that a screen shows. */
const known = new SvelteMap<string, Label | null>();
let wanted = new Map<string, Set<number>>();
let timer: ReturnType<typeof setTimeout> | undefined;

const keyOf = (type: string, id: number) => `${type}/${id}`;
/** Ids in one request, so that the address stays short. */
const BATCH = 100;

/** The label of a thing; undefined while it is asked for, null when it is not there. */
export function labelOf(type: string, id: number): Label | null | undefined {
  const key = keyOf(type, id);
  const label = known.get(key);
  if (label === undefined && !known.has(key)) want(type, id);
  return label;
}

/** Puts in a label that is known from elsewhere, such as a chosen option. */
export function learn(label: Label): void {
  known.set(keyOf(label.target_type, label.target_id), label);
}

/** Forgets a label that may have changed; it is asked for again when next shown. */
export function forget(type: string, id: number): void {
  known.delete(keyOf(type, id));
}

function want(type: string, id: number): void {
  const ids = wanted.get(type) ?? new Set();
  wanted.set(type, ids.add(id));
  timer ??= setTimeout(fetchWanted, 8);
}

async function fetchWanted(): Promise<void> {
  const asked = wanted;
  wanted = new Map();
  timer = undefined;
  for (const [type, ids] of asked) {
    const all = [...ids];
    for (let at = 0; at < all.length; at += BATCH) await fetchBatch(type, all.slice(at, at + BATCH));
  }
}

async function fetchBatch(type: string, ids: number[]): Promise<void> {
  try {
    const labels = await readLabels({ [type]: ids });
    const found = new Map(labels.map((label) => [label.target_id, label]));
    for (const id of ids) known.set(keyOf(type, id), found.get(id) ?? null);
  } catch {
    // Not answered: asked for again when the field is next drawn.
  }
}
