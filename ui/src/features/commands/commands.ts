import {
  REVIEW_ICONS,
  assignSelection,
  isAssignable,
  selectedSteps,
  stepSelection,
} from '../review/review_menu';
import { shareSelection } from '../share_links/share_commands';
import { duplicateItems } from '../organize_items/duplicate';
import { answerClose, inWindow } from '../../desktop';
import { workingCopies } from '../open_original/working_copies.svelte';
import { openOriginalOfItem } from '../open_original/open_original';
import { collectionTree } from '../../state/collection_tree.svelte';
import { navigation } from '../../state/navigation.svelte';
import { mayCreateItem, mayAdministerServer, maySelected } from '../../state/permissions';
import { repository } from '../../state/repository.svelte';
import { selection } from '../../state/selection.svelte';
import { currentList } from '../../state/current_list.svelte';
import type { Item } from '../../api/types';
import { t } from '../../texts';
import { pictureCommands } from '../collection_picture/picture_commands';
import { exportCommands } from '../export_items/export_commands';
import { savedSearchCommands } from '../saved_searches/saved_search_commands';
import { templateCommands } from '../templates/template_commands';
import { makePages, mayMakePages } from '../pages/make_pages';
import { undo } from '../undo/undo.svelte';
import { dialogs } from '../../state/dialogs.svelte';
import {
  canDescribeNeighbor,
  compareSelection,
  describeNeighbor,
  editSelection,
  findAndReplace,
  editItem,
  deleteSelection,
  toggleQuickLook,
  openHit,
  showSelection,
} from '../item_list/item_actions';
import { descriptionCommands } from '../description/description_commands';
import { moveSelection, rotateSelection } from '../item_list/item_menu';
import type { Command } from './command_type';
import { viewCommands } from './view_commands';

/** All commands, enabled or not, in the order of the palette. */
export function allCommands(): Command[] {
  return [
    ...undoCommands(),
    ...createCommands(),
    ...selectionCommands(),
    ...descriptionCommands(),
    ...templateCommands(),
    ...itemCommands(),
    ...pictureCommands(singleSelectedItem()),
    ...savedSearchCommands(),
    ...exportCommands(),
    ...viewCommands(),
    ...appCommands(),
  ];
}

function undoCommands(): Command[] {
  const [back, again] = [undo.next('undo'), undo.next('redo')];
  return [
    {
      id: 'undo',
      label: back === null ? t.toast.undo : t.undo.undoThis(back),
      icon: 'back',
      keys: ['Ctrl', 'Z'],
      yieldsTo: 'writing',
      enabled: back !== null,
      runsWhenDisabled: true,
      run: () => void undo.undo(),
    },
    {
      id: 'redo',
      label: again === null ? t.undo.redo : t.undo.redoThis(again),
      icon: 'forward',
      keys: ['Ctrl', 'Shift', 'Z'],
      alternativeKeys: ['Ctrl', 'Y'],
      yieldsTo: 'writing',
      enabled: again !== null,
      runsWhenDisabled: true,
      run: () => void undo.redo(),
    },
  ];
}

function createCommands(): Command[] {
  const { scope } = navigation.browse;
  const parent = scope && 'collection' in scope ? scope.collection : null;
  const ready = mayCreateItem();
  return [
    {
      id: 'item',
      label: t.items.addMenu.item,
      icon: 'image',
      keys: ['Ctrl', 'N'],
      enabled: ready,
      run: () => (dialogs.open = { kind: 'item', parent }),
    },
    {
      id: 'collection',
      label: t.items.addMenu.collection,
      icon: 'folder',
      keys: ['Ctrl', 'Shift', 'N'],
      enabled: ready,
      run: () => (dialogs.open = { kind: 'collection', parent }),
    },
    {
      id: 'watch',
      label: t.watched.new,
      icon: 'watched',
      enabled: mayAdministerServer(),
      run: () => navigation.go({ screen: 'watched', folder: null, form: true }),
    },
    {
      id: 'import-table',
      label: t.tables.open,
      icon: 'table',
      enabled: repository.user !== null,
      run: () =>
        (dialogs.open = {
          kind: 'import-table',
          source: { title: t.tables.title, collection: parent, table: null },
        }),
    },
    {
      id: 'import-bag',
      label: t.bags.openImport,
      icon: 'download',
      enabled: mayCreateItem(),
      run: () => (dialogs.open = { kind: 'import-bag', collection: parent }),
    },
    {
      id: 'import',
      label: t.importing.open,
      icon: 'download',
      enabled: mayAdministerServer(),
      run: () => (dialogs.open = { kind: 'import' }),
    },
  ];
}

const replaceCommand = (isBrowsing: boolean): Command => ({
  id: 'replace',
  label: t.batch.openReplacement,
  icon: 'search',
  keys: ['Ctrl', 'H'],
  enabled: isBrowsing && currentList.rows.total > 0,
  run: findAndReplace,
});

const shareCommand = (chosen: number): Command => ({
  id: 'share',
  label: t.links.menu,
  icon: 'link',
  enabled: chosen === 1 && maySelected('share'),
  run: shareSelection,
});

/** The steps of the review that the selection can take. */
function reviewCommands(chosen: number): Command[] {
  const steps = chosen > 0 ? selectedSteps() : [];
  const taken = (['submit', 'withdraw', 'publish', 'unpublish'] as const).map((step) => ({
    id: step,
    label: t.review.steps[step],
    icon: REVIEW_ICONS[step],
    enabled: steps.includes(step),
    run: () => stepSelection(step),
  }));
  const assigned: Command = {
    id: 'assign',
    label: t.review.assign,
    icon: 'person',
    enabled: isAssignable(steps),
    run: assignSelection,
  };
  return [...taken, assigned];
}

/** Commands for the selection. */
function selectionCommands(): Command[] {
  const isBrowsing = navigation.route.screen === 'browse';
  const chosen = isBrowsing ? selection.count : 0;
  return [
    {
      id: 'batch',
      label: t.batch.open(Math.max(chosen, 1)),
      icon: 'pencil',
      keys: ['Ctrl', 'E'],
      enabled: chosen > 1 && maySelected('update'),
      runsWhenDisabled: true,
      run: () => isBrowsing && editSelection(),
    },
    replaceCommand(isBrowsing),
    {
      id: 'move',
      label: t.move.menu,
      icon: 'folder',
      keys: ['Ctrl', 'M'],
      enabled: canMoveTreeRow() ?? (chosen > 0 && maySelected('update')),
      run: moveSelectionOrTreeRow,
    },
    {
      id: 'duplicate',
      label: t.items.duplicate(Math.max(chosen, 1)),
      icon: 'copy',
      keys: ['Ctrl', 'D'],
      yieldsTo: 'typing',
      enabled: chosen > 0 && mayCreateItem(),
      run: () => selection.withSelected((nids) => void duplicateItems(nids)),
    },
    ...reviewCommands(chosen),
    shareCommand(chosen),
    ...rotateCommands(chosen),
    compareCommand(chosen),
    {
      id: 'erase',
      label: chosen > 1 ? t.inspector.deleteSeveral(chosen) : t.inspector.delete,
      icon: 'trash',
      keys: ['Del'],
      handledByPane: true,
      enabled: chosen > 0 && maySelected('delete'),
      run: deleteSelection,
    },
    {
      id: 'all',
      label: t.items.chooseAll,
      icon: 'check',
      keys: ['Ctrl', 'A'],
      handledByPane: true,
      enabled: isBrowsing && currentList.rows.total > 0,
      run: () => {
        selection.selectAll(currentList);
        showSelection();
      },
    },
  ];
}

function rotateCommands(chosen: number): Command[] {
  return ([1, -1] as const).map((by) => ({
    id: by > 0 ? 'rotate-right' : 'rotate-left',
    label: by > 0 ? t.adjust.right : t.adjust.left,
    icon: by > 0 ? 'rotateRight' : 'rotateLeft',
    enabled: chosen > 0 && maySelected('update'),
    run: () => rotateSelection(by),
  }));
}

function compareCommand(chosen: number): Command {
  return {
    id: 'compare',
    label: t.viewer.compareTwo,
    icon: 'compare',
    enabled: chosen === 2,
    run: compareSelection,
  };
}

/** Commands for a single selected item. */
function itemCommands(): Command[] {
  const item = singleSelectedItem();
  const one = (act: (item: Item) => void) => () => item && act(item);
  return [
    {
      id: 'open',
      label: t.menus.open,
      icon: 'open',
      keys: ['Enter'],
      handledByPane: true,
      enabled: item !== null,
      run: one(openHit),
    },
    {
      id: 'look',
      label: t.viewer.look,
      icon: 'eye',
      keys: ['Space'],
      handledByPane: true,
      enabled: item !== null,
      run: one(toggleQuickLook),
    },
    {
      id: 'describe',
      label: t.items.describe,
      icon: 'pencil',
      keys: ['F2'],
      handledByPane: true,
      enabled: item?.may.update === true,
      run: one(editItem),
    },
    {
      id: 'make-pages',
      label: t.pages.make,
      icon: 'book',
      enabled: item !== null && mayMakePages(item),
      run: one((item) => void makePages(item)),
    },
    ...([1, -1] as const).map((by): Command => ({
      id: by > 0 ? 'describe-next' : 'describe-before',
      label: by > 0 ? t.items.describeNext : t.items.describeBefore,
      icon: by > 0 ? 'forward' : 'back',
      keys: ['Alt', by > 0 ? 'PageDown' : 'PageUp'],
      enabled: canDescribeNeighbor(),
      run: () => void describeNeighbor(by),
    })),
    ...(inWindow ? desktopCommands(item) : []),
  ];
}

function desktopCommands(item: Item | null): Command[] {
  const [copy] = workingCopies.pending;
  return [
    {
      id: 'program',
      label: t.opened.open,
      icon: 'open',
      keys: ['Ctrl', 'O'],
      enabled: item !== null && item.media_count > 0,
      runsWhenDisabled: true,
      run: () => {
        const [nid, ...others] = selection.ids;
        const alone = nid !== undefined && others.length === 0 && navigation.route.screen === 'browse';
        if (alone) void openOriginalOfItem(nid);
      },
    },
    {
      id: 'take-changed',
      label: t.menus.takeChanged,
      icon: 'upload',
      keys: ['Ctrl', 'Enter'],
      enabled: copy !== undefined,
      run: () => copy && workingCopies.replace(copy),
    },
  ];
}

function appCommands(): Command[] {
  return [
    {
      id: 'palette',
      label: t.palette.title,
      icon: 'search',
      keys: ['Ctrl', 'K'],
      enabled: true,
      run: () => (dialogs.open = { kind: 'palette' }),
    },
    {
      id: 'keys',
      label: t.session.keys,
      icon: 'info',
      keys: ['?'],
      yieldsTo: 'typing',
      enabled: true,
      run: () => (dialogs.open = { kind: 'keys' }),
    },
    ...(inWindow
      ? [
          {
            id: 'quit',
            label: t.menus.quit,
            icon: 'x' as const,
            keys: ['Ctrl', 'Q'],
            enabled: true,
            run: () => void answerClose('quit'),
          },
        ]
      : []),
  ];
}

/** The only selected item, if it is loaded. */
function singleSelectedItem(): Item | null {
  const [nid] = selection.ids;
  if (nid === undefined || selection.count !== 1 || navigation.route.screen !== 'browse') return null;
  const index = currentList.rows.indexOf(nid);
  return index < 0 ? null : (currentList.rows.at(index) ?? null);
}

/** Moves the focused collection of the tree, otherwise the selection. */
function moveSelectionOrTreeRow(): void {
  const row = focusedTreeRow();
  if (!row) return moveSelection();
  const from = Number(row.dataset.parent) || null;
  dialogs.open = { kind: 'move', nids: [Number(row.dataset.nid)], from };
}

/** Whether the focused collection of the tree may be moved; null without one. */
function canMoveTreeRow(): boolean | null {
  const row = navigation.route.screen === 'browse' ? focusedTreeRow() : null;
  return row && (collectionTree.find(Number(row.dataset.nid))?.may.update ?? false);
}

function focusedTreeRow(): HTMLElement | null {
  return document.activeElement?.closest<HTMLElement>('[role="treeitem"][data-nid]') ?? null;
}
