import { isSame } from '../../state/model_settings';
import type { Settings } from '../../state/undo_stack';

interface WithFields {
  fields: string[];
  removed_fields: string[];
}

/** How many fields and types differ. A new, removed or restored field is one change of it, not of its type. */
export function countChanges(before: Settings, after: Settings): number {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = new Set(names.filter((name) => !isSame(before[name], after[name])));
  let count = 0;
  for (const name of changed) {
    const [former, present] = [before[name], after[name]];
    if (name === 'bundles') continue;
    count += hasFields(former) && hasFields(present) ? changesOfType(name, former, present, changed) : 1;
  }
  return count;
}

function changesOfType(key: string, before: WithFields, after: WithFields, changed: Set<string>): number {
  const moved = [
    ...before.fields.filter((name) => !after.fields.includes(name)),
    ...after.fields.filter((name) => !before.fields.includes(name)),
  ];
  const itself = isSame(
    { ...before, fields: [], removed_fields: [] },
    { ...after, fields: [], removed_fields: [] },
  );
  const stayed = (of: WithFields) => of.fields.filter((name) => !moved.includes(name));
  const isReordered = !isSame(stayed(before), stayed(after));
  const counted = moved.filter((name) => !changed.has(`${key}.${name}`)).length;
  return counted + (itself ? 0 : 1) + (isReordered ? 1 : 0);
}

const hasFields = (setting: unknown): setting is WithFields =>
  typeof setting === 'object' && setting !== null && 'removed_fields' in setting;
