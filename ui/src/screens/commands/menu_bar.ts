import type { MenuOfWindow } from '../../desktop';
import { t } from '../../texts';
import { places } from '../palette/commands';
import type { Entry } from '../palette/find';
import type { Command } from './command';
import { allCommands } from './commands';

/** The menus over the page: their groups of commands, by name. */
const MENUS: [keyof typeof t.menus, string[][]][] = [
  ['file', [['item', 'collection'], ['watch', 'transfers'], ['quit']]],
  [
    'edit',
    [
      ['undo', 'redo'],
      ['all', 'batch'],
      ['find', 'palette'],
    ],
  ],
  [
    'view',
    [
      ['grid', 'table', 'columns'],
      ['theme-system', 'theme-light', 'theme-dark'],
      ['pane', 'pane-before'],
    ],
  ],
  ['item', [['open', 'look', 'program', 'take-changed'], ['describe', 'move', 'duplicate'], ['erase']]],
];

/** All menus as they are now. Of what means nothing now, the line stays in its place and is grey. */
export function menuBar(): MenuOfWindow[] {
  const commands = new Map(allCommands().map((command) => [command.id, command]));
  const [file, edit, view, item] = MENUS.map(([name, groups]) => ({
    label: t.menus[name],
    groups: groups.map((ids) => ids.flatMap((id) => commands.get(id) ?? []).map(line)),
  }));
  const help = { label: t.menus.help, groups: [['keys'].flatMap((id) => commands.get(id) ?? []).map(line)] };
  return [file, edit, view, goTo(commands), item, help].filter((menu) => menu !== undefined);
}

/** Does what was chosen in a menu: the very same as by its keys. */
export function chooseInMenu(id: string): void {
  const command = allCommands().find((command) => command.id === id && command.ready);
  if (command) command.run();
  else
    places()
      .find((place) => place.id === id)
      ?.run();
}

function goTo(commands: Map<string, Command>): MenuOfWindow {
  const moving = ['back', 'forward'].flatMap((id) => commands.get(id) ?? []);
  return { label: t.menus.go, groups: [moving.map(line), places().map(placeLine)] };
}

/** A title within may be as long as it likes, a menu not. */
const LONGEST = 60;

function line({ id, label, keys, ready, checked }: Command) {
  const short = label.length > LONGEST ? `${label.slice(0, LONGEST - 1)}…` : label;
  return { id, label: short, keys: keys ? [...keys] : [], enabled: ready, checked: checked ?? null };
}

function placeLine({ id, label }: Entry) {
  return { id, label, keys: [], enabled: true, checked: null };
}
