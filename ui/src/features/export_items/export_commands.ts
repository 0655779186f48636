import { currentList } from '../../state/current_list.svelte';
import { dialogs } from '../../state/dialogs.svelte';
import { fitsAddress, listedItems, selectedItems, type ExportSource } from '../../state/export_source';
import { navigation } from '../../state/navigation.svelte';
import { selection } from '../../state/selection.svelte';
import { toaster } from '../../state/toast.svelte';
import { t } from '../../texts';
import { PRINT_LAYOUTS, printSelectionOrList } from '../print/print_items';
import type { Command } from '../commands/command_type';

export function exportItems(...sources: ExportSource[]): void {
  if (sources.length > 0) dialogs.open = { kind: 'export', sources };
}

/** The list that is displayed. */
function wholeList(): ExportSource[] {
  const { query, rows } = currentList;
  return query && rows.total > 0 ? [listedItems(query, t.exporting.listed(rows.total))] : [];
}

export const exportList = (): void => exportItems(...wholeList());

/** Offers the selection, and the list that it is a part of. */
export function exportSelection(): void {
  selection.withSelected((nids) => {
    if (fitsAddress(nids)) return exportItems(selectedItems(nids), ...wholeList());
    if (nids.length < currentList.rows.total) toaster.say(t.exporting.tooMany(nids.length));
    exportList();
  });
}

export function exportCommands(): Command[] {
  const isBrowsing = navigation.route.screen === 'browse' && navigation.browse.viewer === null;
  const chosen = isBrowsing ? selection.count : 0;
  return [
    {
      id: 'export',
      label: chosen > 0 ? t.exporting.openMany(chosen) : t.exporting.openList,
      icon: 'table',
      keys: ['Ctrl', 'Shift', 'E'],
      enabled: isBrowsing && currentList.query !== null && currentList.rows.total > 0,
      run: chosen > 0 ? exportSelection : exportList,
    },
    ...PRINT_LAYOUTS.map((layout) => ({
      id: `print-${layout}`,
      label: t.print.save[layout],
      icon: 'print' as const,
      enabled: isBrowsing && currentList.query !== null && currentList.rows.total > 0,
      run: () => printSelectionOrList(layout),
    })),
  ];
}
