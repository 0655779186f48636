import { currentList } from '../../state/current_list.svelte';
import { navigation } from '../../state/navigation.svelte';
import { maySelected } from '../../state/permissions';
import { selection } from '../../state/selection.svelte';
import { t } from '../../texts';
import type { Command } from '../commands/command_type';
import { descriptionClipboard } from './description_clipboard.svelte';

/** Commands that take values from one item to others. */
export function descriptionCommands(): Command[] {
  const isBrowsing = navigation.route.screen === 'browse' && navigation.browse.viewer === null;
  const chosen = isBrowsing ? selection.count : 0;
  return [
    {
      id: 'copy-description',
      label: t.description.copy,
      icon: 'copy',
      keys: ['Ctrl', 'Shift', 'C'],
      enabled: chosen === 1,
      run: copyDescription,
    },
    {
      id: 'paste-description',
      label: t.description.paste(Math.max(chosen, 1)),
      icon: 'replace',
      keys: ['Ctrl', 'Shift', 'V'],
      yieldsTo: 'typing',
      enabled: chosen > 0 && currentList.rows.total > 0 && maySelected('update'),
      run: pasteDescription,
    },
  ];
}

export function copyDescription(): void {
  selection.withSelected(([nid]) => nid !== undefined && descriptionClipboard.copy(nid));
}

export function pasteDescription(): void {
  selection.withSelected((nids) => void descriptionClipboard.paste(nids));
}
