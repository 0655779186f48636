import { duplicateItems } from '../../arrange/duplicate';
import { answerClosing, inWindow } from '../../desktop';
import { changedCopiesHere } from '../../opened/changed_copies.svelte';
import { openOriginalOf } from '../../opened/original';
import { chooseTheme, theme, type Theme } from '../../parts/theme.svelte';
import { tree } from '../../place/collection_tree.svelte';
import { itemList } from '../../place/item_list.svelte';
import { navigation } from '../../place/navigation.svelte';
import { mayCreateItem, mayRunServer, mayWithChosen } from '../../place/permission';
import { selection } from '../../place/selection.svelte';
import { shownList } from '../../place/shown_list.svelte';
import type { Item } from '../../api/types';
import { t } from '../../texts';
import { queue } from '../../transfers/queue.svelte';
import { undo } from '../../undo/undo.svelte';
import { dialogs } from '../dialogs.svelte';
import { editChosen, editItem, eraseChosen, lookAtItem, openItem, showChosen } from '../items/acts';
import { moveChosen } from '../items/item_menu';
import type { Command } from './command';
import { focusSearch, nextPane } from './focus';

const THEMES: Theme[] = ['system', 'light', 'dark'];

/** Everything that can be done by name, whether it means something now or not, in the order of the palette. */
export function allCommands(): Command[] {
  return [...takingBack(), ...making(), ...withChosen(), ...withOne(), ...looking(), ...about()];
}

function takingBack(): Command[] {
  const [back, again] = [undo.next('undo'), undo.next('redo')];
  return [
    {
      id: 'undo',
      label: back === null ? t.toast.undo : t.undo.undoThis(back),
      icon: 'back',
      keys: ['Ctrl', 'Z'],
      yields: 'writing',
      ready: back !== null,
      waits: true,
      run: () => void undo.undo(),
    },
    {
      id: 'redo',
      label: again === null ? t.undo.redo : t.undo.redoThis(again),
      icon: 'forward',
      keys: ['Ctrl', 'Shift', 'Z'],
      also: ['Ctrl', 'Y'],
      yields: 'writing',
      ready: again !== null,
      waits: true,
      run: () => void undo.redo(),
    },
  ];
}

function making(): Command[] {
  const { place } = navigation.desk;
  const parent = place && 'collection' in place ? place.collection : null;
  const ready = mayCreateItem();
  return [
    {
      id: 'item',
      label: t.items.addMenu.item,
      icon: 'image',
      keys: ['Ctrl', 'N'],
      ready,
      run: () => (dialogs.open = { kind: 'item', parent }),
    },
    {
      id: 'collection',
      label: t.items.addMenu.collection,
      icon: 'folder',
      keys: ['Ctrl', 'Shift', 'N'],
      ready,
      run: () => (dialogs.open = { kind: 'collection', parent }),
    },
    {
      id: 'watch',
      label: t.watched.new,
      icon: 'watched',
      ready: mayRunServer(),
      run: () => navigation.go({ screen: 'watched', folder: null, form: true }),
    },
  ];
}

/** With all that are chosen. */
function withChosen(): Command[] {
  const onDesk = navigation.route.screen === 'desk';
  const chosen = onDesk ? selection.count : 0;
  return [
    {
      id: 'batch',
      label: t.batch.open(Math.max(chosen, 1)),
      icon: 'pencil',
      keys: ['Ctrl', 'E'],
      ready: chosen > 1 && mayWithChosen('update'),
      waits: true,
      run: () => onDesk && editChosen(),
    },
    {
      id: 'move',
      label: t.move.menu,
      icon: 'folder',
      keys: ['Ctrl', 'M'],
      ready: movesRow() ?? (chosen > 0 && mayWithChosen('update')),
      run: moveChosenOrRow,
    },
    {
      id: 'duplicate',
      label: t.items.duplicate(Math.max(chosen, 1)),
      icon: 'copy',
      keys: ['Ctrl', 'D'],
      yields: 'typing',
      ready: chosen > 0 && mayCreateItem(),
      run: () => selection.act((nids) => void duplicateItems(nids)),
    },
    {
      id: 'erase',
      label: chosen > 1 ? t.inspector.deleteSeveral(chosen) : t.inspector.delete,
      icon: 'trash',
      keys: ['Del'],
      ofPane: true,
      ready: chosen > 0 && mayWithChosen('delete'),
      run: eraseChosen,
    },
    {
      id: 'all',
      label: t.items.chooseAll,
      icon: 'check',
      keys: ['Ctrl', 'A'],
      ofPane: true,
      ready: onDesk && shownList.rows.total > 0,
      run: () => {
        selection.all(shownList);
        showChosen();
      },
    },
  ];
}

/** With the one that is chosen alone. */
function withOne(): Command[] {
  const item = chosenAlone();
  const one = (act: (item: Item) => void) => () => item && act(item);
  return [
    {
      id: 'open',
      label: t.menus.open,
      icon: 'open',
      keys: ['Enter'],
      ofPane: true,
      ready: item !== null,
      run: one(openItem),
    },
    {
      id: 'look',
      label: t.viewer.look,
      icon: 'eye',
      keys: ['Space'],
      ofPane: true,
      ready: item !== null,
      run: one(lookAtItem),
    },
    {
      id: 'describe',
      label: t.items.describe,
      icon: 'pencil',
      keys: ['F2'],
      ofPane: true,
      ready: item?.may.update === true,
      run: one(editItem),
    },
    ...(inWindow ? inPrograms(item) : []),
  ];
}

function inPrograms(item: Item | null): Command[] {
  const [copy] = changedCopiesHere.asked;
  return [
    {
      id: 'program',
      label: t.opened.open,
      icon: 'open',
      keys: ['Ctrl', 'O'],
      ready: item !== null && item.media_count > 0,
      waits: true,
      run: () => {
        const [nid, ...others] = selection.chosen;
        const alone = nid !== undefined && others.length === 0 && navigation.route.screen === 'desk';
        if (alone) void openOriginalOf(nid);
      },
    },
    {
      id: 'take-changed',
      label: t.menus.takeChanged,
      icon: 'upload',
      keys: ['Ctrl', 'Enter'],
      ready: copy !== undefined,
      run: () => copy && changedCopiesHere.replace(copy),
    },
  ];
}

function looking(): Command[] {
  const onDesk = navigation.route.screen === 'desk';
  return [
    ...(['grid', 'table'] as const).map((view, index): Command => ({
      id: view,
      label: view === 'grid' ? t.palette.thumbnails : t.palette.table,
      icon: view === 'grid' ? 'all' : 'table',
      keys: ['Ctrl', String(index + 1)],
      ready: onDesk,
      checked: itemList.view.value === view,
      run: () => (itemList.view.value = view),
    })),
    {
      id: 'columns',
      label: t.items.chooseColumns,
      icon: 'table',
      ready: true,
      run: () => (dialogs.open = { kind: 'columns' }),
    },
    {
      id: 'transfers',
      label: t.palette.transfers,
      icon: 'upload',
      keys: ['Ctrl', 'J'],
      ready: true,
      run: () => (queue.open = !queue.open),
    },
    ...THEMES.map((name): Command => ({
      id: `theme-${name}`,
      label: t.palette.theme(t.session.themes[name]),
      icon: 'eye',
      ready: true,
      checked: theme.value === name,
      run: () => chooseTheme(name),
    })),
    ...moving(),
  ];
}

function moving(): Command[] {
  return [
    {
      id: 'find',
      label: t.items.search,
      icon: 'search',
      keys: ['Ctrl', 'F'],
      ready: true,
      run: focusSearch,
    },
    {
      id: 'back',
      label: t.menus.back,
      icon: 'back',
      keys: ['Alt', '←'],
      yields: 'typing',
      ready: navigation.depth > 0,
      waits: true,
      run: () => navigation.back(),
    },
    {
      id: 'forward',
      label: t.menus.forward,
      icon: 'forward',
      keys: ['Alt', '→'],
      yields: 'typing',
      ready: navigation.depth < navigation.top,
      waits: true,
      run: () => navigation.forward(),
    },
    { id: 'pane', label: t.menus.pane, icon: 'forward', keys: ['F6'], ready: true, run: () => nextPane(1) },
    {
      id: 'pane-before',
      label: t.menus.paneBefore,
      icon: 'back',
      keys: ['Shift', 'F6'],
      ready: true,
      run: () => nextPane(-1),
    },
  ];
}

function about(): Command[] {
  return [
    {
      id: 'palette',
      label: t.palette.title,
      icon: 'search',
      keys: ['Ctrl', 'K'],
      ready: true,
      run: () => (dialogs.open = { kind: 'palette' }),
    },
    {
      id: 'keys',
      label: t.session.keys,
      icon: 'info',
      keys: ['?'],
      yields: 'typing',
      ready: true,
      run: () => (dialogs.open = { kind: 'keys' }),
    },
    ...(inWindow
      ? [
          {
            id: 'quit',
            label: t.menus.quit,
            icon: 'x' as const,
            keys: ['Ctrl', 'Q'],
            ready: true,
            run: () => void answerClosing('quit'),
          },
        ]
      : []),
  ];
}

/** The item that is chosen alone, where it is read. */
function chosenAlone(): Item | null {
  const [nid] = selection.chosen;
  if (nid === undefined || selection.count !== 1 || navigation.route.screen !== 'desk') return null;
  const index = shownList.rows.indexOf(nid);
  return index < 0 ? null : (shownList.rows.at(index) ?? null);
}

/** What the keyboard stands on in the tree, else the chosen items, go somewhere else. */
function moveChosenOrRow(): void {
  const row = rowOfTree();
  if (!row) return moveChosen();
  const from = Number(row.dataset.parent) || null;
  dialogs.open = { kind: 'move', nids: [Number(row.dataset.nid)], from };
}

/** Whether what the keyboard stands on in the tree may go somewhere else; null where it stands elsewhere. */
function movesRow(): boolean | null {
  const row = navigation.route.screen === 'desk' ? rowOfTree() : null;
  return row && (tree.find(Number(row.dataset.nid))?.may.update ?? false);
}

function rowOfTree(): HTMLElement | null {
  return document.activeElement?.closest<HTMLElement>('[role="treeitem"][data-nid]') ?? null;
}
