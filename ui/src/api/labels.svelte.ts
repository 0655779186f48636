import { SvelteMap } from 'svelte/reactivity';
import { readLabels } from './read';
import type { Label } from './types';

/** Names of referenced things, asked for in one request for all that a screen shows. */
const known = new SvelteMap<string, Label | null>();
let wanted = new Map<string, Set<number>>();
let timer: ReturnType<typeof setTimeout> | undefined;

/** The question under way of which the answer counts, by what it is about. */
const asked = new Map<string, symbol>();

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
  const key = keyOf(label.target_type, label.target_id);
  asked.delete(key);
  known.set(key, label);
}

/** Forgets a label that may have changed; it is asked for again when next shown. */
export function forget(type: string, id: number): void {
  const key = keyOf(type, id);
  known.delete(key);
  // The answer to what was asked before may be older than the change.
  if (asked.delete(key)) want(type, id);
}

function want(type: string, id: number): void {
  const ids = wanted.get(type) ?? new Set();
  wanted.set(type, ids.add(id));
  timer ??= setTimeout(fetchWanted, 8);
}

async function fetchWanted(): Promise<void> {
  const all = wanted;
  wanted = new Map();
  timer = undefined;
  for (const [type, set] of all) {
    const ids = [...set];
    for (let at = 0; at < ids.length; at += BATCH) await fetchBatch(type, ids.slice(at, at + BATCH));
  }
}

async function fetchBatch(type: string, ids: number[]): Promise<void> {
  const question = Symbol();
  for (const id of ids) asked.set(keyOf(type, id), question);
  const counts = (id: number) => asked.get(keyOf(type, id)) === question && asked.delete(keyOf(type, id));
  try {
    const labels = await readLabels({ [type]: ids });
    const found = new Map(labels.map((label) => [label.target_id, label]));
    for (const id of ids) if (counts(id)) known.set(keyOf(type, id), found.get(id) ?? null);
  } catch {
    // Not answered: asked for again when the field is next drawn.
    ids.forEach(counts);
  }
}
