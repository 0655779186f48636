import { SvelteMap } from 'svelte/reactivity';
import { readLabels } from './read';
import type { Label } from './types';
import { termName } from '../texts/shipped_labels';

/** Labels of referenced resources. All that a page displays are requested together. */
const labels = new SvelteMap<string, Label | null>();
let requested = new Map<string, Set<number>>();
let timer: ReturnType<typeof setTimeout> | undefined;

/** The latest request per label; answers to earlier requests are ignored. */
const latestRequest = new Map<string, symbol>();

const keyOf = (type: string, id: number) => `${type}/${id}`;
/** Maximum number of ids per request, so that the URL stays short. */
const BATCH = 100;

/** The label of a resource; undefined while it is requested, null when it does not exist. */
export function labelOf(type: string, id: number): Label | null | undefined {
  const key = keyOf(type, id);
  const label = labels.get(key);
  if (label === undefined && !labels.has(key)) request(type, id);
  return label;
}

/** Caches a label that is known from elsewhere, such as a selected option. */
export function cacheLabel(label: Label): void {
  const key = keyOf(label.target_type, label.target_id);
  latestRequest.delete(key);
  labels.set(key, label);
}

/** Removes a label that may have changed; it is requested again when it is displayed next. */
export function invalidateLabel(type: string, id: number): void {
  const key = keyOf(type, id);
  labels.delete(key);
  // The answer to an earlier request may be older than the change.
  if (latestRequest.delete(key)) request(type, id);
}

/** The program's own terms have names in the reader's language. */
const inWords = (label: Label): Label =>
  label.target_type === 'taxonomy_term' ? { ...label, label: termName(label.label, label.bundle) } : label;

function request(type: string, id: number): void {
  const ids = requested.get(type) ?? new Set();
  requested.set(type, ids.add(id));
  timer ??= setTimeout(fetchRequested, 8);
}

async function fetchRequested(): Promise<void> {
  const all = requested;
  requested = new Map();
  timer = undefined;
  for (const [type, set] of all) {
    const ids = [...set];
    for (let at = 0; at < ids.length; at += BATCH) await fetchBatch(type, ids.slice(at, at + BATCH));
  }
}

async function fetchBatch(type: string, ids: number[]): Promise<void> {
  const requestId = Symbol();
  for (const id of ids) latestRequest.set(keyOf(type, id), requestId);
  const isLatest = (id: number) =>
    latestRequest.get(keyOf(type, id)) === requestId && latestRequest.delete(keyOf(type, id));
  try {
    const answer = await readLabels({ [type]: ids });
    const found = new Map(answer.map((label) => [label.target_id, inWords(label)]));
    for (const id of ids) if (isLatest(id)) labels.set(keyOf(type, id), found.get(id) ?? null);
  } catch {
    // The request failed: it is repeated when the field is rendered next.
    ids.forEach(isLatest);
  }
}
