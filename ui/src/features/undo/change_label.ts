import type { FieldItem } from '../../api/types';
import { labelOf } from '../../api/labels.svelte';
import { itemText } from '../../fields/values';
import { repository } from '../../state/repository.svelte';
import { t } from '../../texts';
import { list } from '../../texts/format';
import type { UndoChange, Step } from '../../state/undo_stack';
import { settingLabel, templateLabel } from './setting_labels';

/** A short label of a change, for a menu or a toast. */
export function changeLabel({ steps }: UndoChange): string {
  const [first] = steps;
  if (!first) return '';
  const nodes = steps.filter(({ kind }) => kind === 'node');
  if (first.act === 'set') return steps.length > 1 ? t.undo.adjusted(steps.length) : settingsLabel(first);
  if (first.kind === 'folder')
    return first.act === 'create' ? t.undo.watched(first.title) : t.undo.unwatched(first.title);
  if (steps.some(({ act }) => act === 'delete') && ['change', 'batch'].includes(first.act))
    return t.undo.deleted(steps.find(({ act }) => act === 'delete')?.title ?? first.title);
  if (first.act === 'batch') return batchLabel(first);
  if (first.act === 'delete') {
    return nodes.length > 1 ? t.undo.deletedMany(nodes.length) : t.undo.deleted(first.title);
  }
  const files = steps.filter(({ kind }) => kind === 'media');
  if (nodes.length === 0 && files.length > 1) return t.undo.files(files.length);
  if (first.act === 'create' && nodes.length === 0 && files[0]) return t.undo.addedFile(files[0].title);
  if (first.act === 'create')
    return nodes.length > 1 ? t.undo.createdMany(nodes.length) : t.undo.created(first.title);
  if (first.act === 'restore') return t.undo.restored(first.title);
  if (first.act === 'bytes') return t.undo.replaced(first.title);
  const only = steps.every(({ act }) => act === 'change') ? onlyField(steps) : null;
  if (only === repository.model.field_roles.member_of) return t.undo.moved(first.title, nodes.length);
  if (only === repository.model.field_roles.weight) return t.undo.reordered(nodes.length);
  const labels = first.fields.map(({ label }) => label);
  if (nodes.length > 1) return t.undo.changedMany(list(labels, 'conjunction'), nodes.length);
  return t.undo.changed(list(labels, 'conjunction'), first.title);
}

function batchLabel({ what, title, label, items }: Extract<Step, { act: 'batch' }>): string {
  if (what === 'pages') return t.undo.pages(title);
  if (what === 'table' || what === 'bag') return t.undo.table(title);
  if (what === 'merge') return t.undo.merge(title);
  if (what === 'move') return t.undo.moved(title, items);
  if (what === 'order') return t.undo.reordered(items);
  if (what === 'delete') return items === 1 ? t.undo.deleted(title) : t.undo.deletedMany(items);
  if (what === 'restore') return items === 1 ? t.undo.restored(title) : t.undo.restoredMany(items);
  if (what === 'rotate') return t.undo.adjusted(items);
  if (what === 'duplicate') return items === 1 ? t.undo.created(title) : t.undo.createdMany(items);
  if (what === 'other') return label;
  return items === 1 ? t.undo.changed(label, title) : t.undo.changedMany(label, items);
}

/** A label of finished uploads. */
export function uploadsLabel(steps: Step[]): string {
  const items = steps.filter((step) => 'withFiles' in step).length;
  if (items > 0) return t.transfers.made(items);
  const files = steps.filter(({ kind }) => kind === 'media').length;
  const [first] = steps;
  if (files === 1 && first?.act === 'bytes') return t.transfers.replaced(first.title);
  // Collections of folders whose files were not uploaded.
  return files > 0 ? t.transfers.arrived(files) : t.create.made(first?.title ?? '');
}

function settingsLabel({ kind, title, after }: Extract<Step, { act: 'set' }>): string {
  if (kind === 'roles') return t.undo.role(title);
  const names = Object.keys(after);
  const only = names.length === 1 ? names[0] : null;
  if (only === 'active') return after.active === true ? t.undo.enabled(title) : t.undo.disabled(title);
  if (only === 'paused') return after.paused === true ? t.undo.paused(title) : t.undo.resumed(title);
  if (kind === 'model') return title;
  if (kind === 'folder') return t.undo.rule(title);
  if (kind === 'saved_search') return t.undo.search(title);
  if (kind === 'templates') return t.undo.template(list(names.map(templateLabel), 'conjunction'), title);
  return t.undo.changed(list(names.map(settingLabel), 'conjunction'), title);
}

/** The field that all steps change; null where they change several. */
function onlyField(steps: Step[]): string | null {
  const names = new Set(
    steps.flatMap((step) => (step.act === 'change' ? step.fields.map(({ name }) => name) : [])),
  );
  const [name] = names;
  return names.size === 1 && name !== undefined ? name : null;
}

/** Field values as text. */
export function valuesText(items: FieldItem[]): string {
  const words = items.map((item) => {
    if (typeof item.value === 'boolean') return item.value ? t.say.yes : t.say.no;
    return itemText(item, (type, id) => labelOf(type, id)?.label ?? '…');
  });
  return words.join(' · ') || t.form.empty;
}
