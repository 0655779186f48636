import type { MenuGroup } from '../../components/MenuPanel.svelte';
import { dialogs } from '../../state/dialogs.svelte';
import { selection } from '../../state/selection.svelte';
import { t } from '../../texts';

/** The entry of a menu that shares an item by a link, where the user may. */
export function shareEntries({ nid, may }: { nid: number; may: { share: boolean } }): MenuGroup['entries'] {
  if (!may.share) return [];
  return [
    { id: 'share', label: t.links.menu, icon: 'link', run: () => (dialogs.open = { kind: 'share', nid }) },
  ];
}

/** Opens the dialog that shares the selected item. */
export function shareSelection(): void {
  selection.withSelected(([nid]) => {
    if (nid !== undefined) dialogs.open = { kind: 'share', nid };
  });
}
