import type { NativeMenu } from '../../desktop';
import { t } from '../../texts';
import type { Command } from './command_type';
import { allCommands } from './commands';
import { destinations, type Destination } from './destinations';

/** Native menus: groups of command ids by name. */
const MENUS: [keyof typeof t.menus, string[][]][] = [
  [
    'file',
    [
      ['item', 'collection'],
      ['watch', 'transfers'],
      ['export', 'print-contact_sheet', 'print-labels', 'import-table', 'import-bag'],
      ['quit'],
    ],
  ],
  [
    'edit',
    [
      ['undo', 'redo'],
      ['all', 'batch'],
      ['find', 'replace', 'save-search', 'palette'],
    ],
  ],
  [
    'view',
    [
      ['grid', 'table', 'columns', 'facets'],
      ['theme-system', 'theme-light', 'theme-dark'],
      ['pane', 'pane-before'],
    ],
  ],
  [
    'item',
    [
      ['open', 'look', 'program', 'take-changed', 'make-pages'],
      ['copy-description', 'paste-description', 'save-template', 'apply-template'],
      ['describe', 'describe-next', 'describe-before', 'move', 'duplicate', 'share'],
      ['submit', 'withdraw', 'publish', 'unpublish', 'assign'],
      ['rotate-right', 'rotate-left'],
      ['collection-picture', 'automatic-picture'],
      ['erase'],
    ],
  ],
];

/** The menus in their current state. Disabled items stay in their place. */
export function menuBar(): NativeMenu[] {
  const commands = new Map(allCommands().map((command) => [command.id, command]));
  const [file, edit, view, item] = MENUS.map(([name, groups]) => ({
    label: t.menus[name],
    groups: groups.map((ids) => ids.flatMap((id) => commands.get(id) ?? []).map(commandItem)),
  }));
  const help = {
    label: t.menus.help,
    groups: [['keys'].flatMap((id) => commands.get(id) ?? []).map(commandItem)],
  };
  return [file, edit, view, goMenu(commands), item, help].filter((menu) => menu !== undefined);
}

/** Runs a selected menu item. */
export function runMenuItem(id: string): void {
  const command = allCommands().find((command) => command.id === id && command.enabled);
  if (command) command.run();
  else
    destinations()
      .find((place) => place.id === id)
      ?.run();
}

function goMenu(commands: Map<string, Command>): NativeMenu {
  const moving = ['back', 'forward'].flatMap((id) => commands.get(id) ?? []);
  return { label: t.menus.go, groups: [moving.map(commandItem), destinations().map(destinationItem)] };
}

/** Maximum length of a label. */
const MAX_LABEL = 60;

function commandItem({ id, label, keys, enabled, checked }: Command) {
  const short = label.length > MAX_LABEL ? `${label.slice(0, MAX_LABEL - 1)}…` : label;
  return { id, label: short, keys: keys ? [...keys] : [], enabled, checked: checked ?? null };
}

function destinationItem({ id, label }: Destination) {
  return { id, label, keys: [], enabled: true, checked: null };
}
