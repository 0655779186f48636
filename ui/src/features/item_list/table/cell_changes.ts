import { getEntity } from '../../../api/resources';
import { errorText } from '../../../state/batch_preview.svelte';
import type { Item } from '../../../api/types';
import type { PagedList } from '../../../state/paged_list.svelte';
import { selection } from '../../../state/selection.svelte';
import { toaster } from '../../../state/toast.svelte';
import { t } from '../../../texts';
import { applyDescription } from '../../description/apply_description';
import { describeChange } from '../../description/description';
import { itemForm } from '../../metadata_form/item_form';
import { columnField, editableField } from './cell_cursor.svelte';

/** Takes all values out of a cell. */
export async function clearCell(item: Item, column: string): Promise<void> {
  const field = editableField(item, column);
  if (!field) return toaster.say(item.may.update ? t.cells.derived : t.cells.denied);
  const form = itemForm(item.nid);
  try {
    await form.load();
    form.change(field.name, []);
    await form.commit(field.name);
    const { refusal, violations } = form.status(field.name);
    const reason = refusal ?? violations[0]?.message;
    if (!reason) return;
    form.discard(field.name);
    toaster.warn(reason);
  } catch (error) {
    toaster.warn(errorText(error));
  }
}

/** Gives the values of the topmost selected row to the cells below it, as one undoable change. */
export async function fillDown(list: PagedList, column: string): Promise<void> {
  const rows = [...list.rows.entries()].filter(([, { nid }]) => selection.has(nid, -1));
  const [first, ...others] = rows.map(([, item]) => item);
  const name = columnField(column);
  // Rows that are not loaded could stand above.
  if (!first || rows.length < selection.count) return toaster.say(t.cells.fillLoaded);
  const field = editableField(first, column);
  if (!field || name === undefined) return toaster.say(t.cells.derived);
  try {
    const { body } = await getEntity('node', first.nid);
    const change = describeChange(first.type, { [name]: body[name] ?? [] }, 'replace');
    if (!change) return toaster.say(t.cells.nothingToFill);
    const about = { what: 'values', title: others[0]?.title, label: field.label } as const;
    await applyDescription(
      others.map(({ nid }) => nid),
      change,
      about,
      undefined,
    );
  } catch (error) {
    toaster.warn(errorText(error));
  }
}
