import { collectionTree } from '../../state/collection_tree.svelte';
import { dialogs } from '../../state/dialogs.svelte';
import { navigation } from '../../state/navigation.svelte';
import { maySelected } from '../../state/permissions';
import { repository } from '../../state/repository.svelte';
import { selection } from '../../state/selection.svelte';
import { t } from '../../texts';
import type { MenuEntry } from '../../components/MenuPanel.svelte';
import type { Command } from '../commands/command_type';

/** Commands for templates and for the defaults of the displayed collection. */
export function templateCommands(): Command[] {
  const isBrowsing = navigation.route.screen === 'browse' && navigation.browse.viewer === null;
  const chosen = isBrowsing ? selection.count : 0;
  const { scope } = navigation.browse;
  const open = isBrowsing && scope && 'collection' in scope ? collectionTree.find(scope.collection) : null;
  return [
    {
      id: 'defaults',
      label: t.templates.defaultsMenu,
      icon: 'document',
      enabled: open?.may.update === true,
      run: () => open && (dialogs.open = { kind: 'defaults', nid: open.nid, title: open.title }),
    },
    {
      id: 'save-template',
      label: t.templates.saveMenu,
      icon: 'document',
      enabled: chosen === 1 && repository.user !== null,
      run: () => selection.withSelected(saveTemplate),
    },
    {
      id: 'apply-template',
      label: t.templates.applyMenu,
      icon: 'document',
      enabled: chosen > 0 && maySelected('update'),
      run: () => selection.withSelected(applyTemplate),
    },
  ];
}

/** The entries for templates in a menu of as many items that may be changed; `withItems` tells which ones. */
export function templateEntries(
  count: number,
  withItems: (run: (nids: number[]) => void) => void,
): MenuEntry[] {
  const keep: MenuEntry = {
    id: 'save-template',
    label: t.templates.saveMenu,
    icon: 'document',
    run: () => withItems(saveTemplate),
  };
  const apply: MenuEntry = {
    id: 'apply-template',
    label: t.templates.applyMenu,
    icon: 'document',
    run: () => withItems(applyTemplate),
  };
  return count === 1 ? [keep, apply] : [apply];
}

function saveTemplate([nid]: number[]): void {
  if (nid !== undefined) dialogs.open = { kind: 'save-template', nid };
}

function applyTemplate(nids: number[]): void {
  if (nids.length > 0) dialogs.open = { kind: 'apply-template', nids };
}
