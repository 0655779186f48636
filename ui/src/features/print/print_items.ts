/** Items on paper: a contact sheet or labels as PDF. */
import type { MenuGroup } from '../../components/MenuPanel.svelte';
import { currentList } from '../../state/current_list.svelte';
import { fitsAddress, listParameters, type ExportSource, selectedItems } from '../../state/export_source';
import { saveFromServer } from '../../state/save_from_server';
import { selection } from '../../state/selection.svelte';
import { toaster } from '../../state/toast.svelte';
import { t } from '../../texts';

export const PRINT_LAYOUTS = ['contact_sheet', 'labels'] as const;
export type PrintLayout = (typeof PRINT_LAYOUTS)[number];

/** Saves items as a PDF of this layout. */
export function saveAsPdf(
  layout: PrintLayout,
  { parameters }: Pick<ExportSource, 'parameters'>,
): Promise<void> {
  const query = new URLSearchParams({ layout });
  for (const [name, values] of Object.entries(parameters))
    for (const value of [values].flat()) query.append(name, value);
  return saveFromServer(`/api/v1/print?${query}`, `${layout.replace('_', '-')}.pdf`);
}

/** Saves the selection; without one, the list that is displayed, in its order. */
export function printSelectionOrList(layout: PrintLayout): void {
  const { query } = currentList;
  if (selection.count === 0) return void (query && saveAsPdf(layout, { parameters: listParameters(query) }));
  selection.withSelected((nids) => {
    if (fitsAddress(nids)) void saveAsPdf(layout, selectedItems(nids));
    else toaster.warn(t.print.tooMany);
  });
}

/** The entries of a menu that print. */
export const printEntries = (run: (layout: PrintLayout) => void): MenuGroup['entries'] =>
  PRINT_LAYOUTS.map((layout) => ({
    id: `print-${layout}`,
    label: t.print.save[layout],
    icon: 'print' as const,
    run: () => run(layout),
  }));
