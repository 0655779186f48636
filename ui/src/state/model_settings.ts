/**
 * The content model as settings by name: one for each bundle, and one for each field. So two changes of different
 * fields do not meet, and the history of changes stores what was changed alone.
 */
import type { BundleDefinition, FieldDefinition, ModelDefinition } from '../api/content_model';
import type { Settings } from './undo_stack';

/** A bundle with the names of its fields in place of these. */
type BundleSetting = Omit<BundleDefinition, 'fields' | 'removed_fields'> & {
  fields: string[];
  removed_fields: string[];
};

const BUNDLES = 'bundles';

export const bundleKey = ({ kind, id }: Pick<BundleDefinition, 'kind' | 'id'>): string => `${kind}.${id}`;

export function modelSettings({ bundles, ...rest }: ModelDefinition): Settings {
  const settings: Settings = { ...rest, [BUNDLES]: bundles.map(bundleKey) };
  for (const bundle of bundles) {
    const fields = bundle.fields ?? [];
    const removed = bundle.removed_fields ?? [];
    for (const field of [...removed, ...fields]) settings[`${bundleKey(bundle)}.${field.name}`] = field;
    settings[bundleKey(bundle)] = { ...bundle, fields: names(fields), removed_fields: names(removed) };
  }
  return settings;
}

const names = (fields: FieldDefinition[]) => fields.map(({ name }) => name);

export function modelOf(settings: Settings): ModelDefinition {
  const keys = settings[BUNDLES] as string[];
  const bundles = keys.map((key): BundleDefinition => {
    const bundle = settings[key] as BundleSetting;
    const named = (list: string[]) =>
      list.map((name) => settings[`${key}.${name}`] as FieldDefinition | null).filter((field) => !!field);
    const { fields, removed_fields: removed, ...rest } = bundle;
    return { ...rest, fields: named(fields), removed_fields: named(removed) };
  });
  const rest = Object.entries(settings).filter(([name]) => name !== BUNDLES && !isPart(name));
  return { ...Object.fromEntries(rest), bundles } as ModelDefinition;
}

/** Whether a setting belongs to a bundle. */
const isPart = (name: string): boolean => name.includes('.');

/** The present settings with a change: what differs between `from` and `to` becomes as in `to`. */
export function changeSettings(now: Settings, from: Settings, to: Settings): Settings {
  const changed = { ...now };
  for (const name of new Set([...Object.keys(from), ...Object.keys(to)])) {
    const [before, after, present] = [from[name], to[name], now[name]];
    if (isSame(before, after)) continue;
    if (after === undefined || after === null) delete changed[name];
    else changed[name] = merged(present, before, after);
  }
  return changed;
}

/** Lists of names keep what others have added since, and lack what others have removed. */
function merged(present: unknown, before: unknown, after: unknown): unknown {
  if (isSame(present, before) || !present || !before) return after;
  if (Array.isArray(after)) return mergedNames(present, before, after as string[]);
  if (typeof after !== 'object' || after === null || !('removed_fields' in after)) return after;
  const [now, from, to] = [present, before, after] as BundleSetting[] as [
    BundleSetting,
    BundleSetting,
    BundleSetting,
  ];
  return {
    ...to,
    fields: mergedNames(now.fields, from.fields, to.fields),
    removed_fields: mergedNames(now.removed_fields, from.removed_fields, to.removed_fields),
  };
}

function mergedNames(now: unknown, from: unknown, to: string[]): string[] {
  const [present, former] = [now, from] as [string[], string[]];
  const added = present.filter((name) => !former.includes(name) && !to.includes(name));
  const kept = to.filter((name) => present.includes(name) || !former.includes(name));
  return [...kept, ...added];
}

export function isSame(some: unknown, others: unknown): boolean {
  return JSON.stringify(some ?? null) === JSON.stringify(others ?? null);
}
