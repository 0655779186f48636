import type { Item } from '../../../api/types';
import type { PagedList } from '../../../state/paged_list.svelte';
import { selection } from '../../../state/selection.svelte';
import { toaster } from '../../../state/toast.svelte';
import { t } from '../../../texts';
import { clearCell, fillDown } from './cell_changes';
import { copyCells, pasteCells } from './cell_clipboard';
import {
  cellCursor,
  editableBeside,
  editableField,
  type CellMove,
  type EditedCell,
} from './cell_cursor.svelte';

/** Handles a key in the table, before it acts on the row. Answers whether it is used. */
export function handleCellKey(event: KeyboardEvent, list: PagedList): boolean {
  const { editing } = cellCursor;
  if (editing) return buffer(event, editing);
  if (event.altKey || event.isComposing) return false;
  if (event.ctrlKey || event.metaKey) return runCommand(event, list);
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (by !== undefined) {
    if (event.shiftKey && cellCursor.column !== null) cellCursor.extend(by);
    else if (cellCursor.column !== null || by > 0) cellCursor.step(by);
    return true;
  }
  return cellCursor.column !== null && runCellKey(event, list, cellCursor.column);
}

/** Until the editor has the focus, its keys arrive here. */
function buffer(event: KeyboardEvent, editing: EditedCell): boolean {
  const move = moveOf(event);
  if (event.key === 'Escape') cellCursor.editing = null;
  else if (move) cellCursor.editing = { ...editing, move };
  else if (isCharacter(event)) cellCursor.editing = { ...editing, typed: (editing.typed ?? '') + event.key };
  return true;
}

/** Where a key leaves an editor to; null: it does not leave it. */
export function moveOf({ key, shiftKey }: KeyboardEvent): CellMove {
  if (key === 'Enter') return 'down';
  if (key !== 'Tab') return null;
  return shiftKey ? 'previous' : 'next';
}

function runCommand(event: KeyboardEvent, list: PagedList): boolean {
  const key = event.key.toLowerCase();
  if (event.shiftKey) return false;
  if (key === 'c') {
    void copyCells(list);
    return true;
  }
  if (key === 'v' && cellCursor.column !== null) {
    void pasteCells(list, cellCursor.column);
    return true;
  }
  if (key !== 'd' || cellCursor.column === null || selection.count < 2) return false;
  // Elsewhere the keys duplicate items.
  event.stopPropagation();
  void fillDown(list, cellCursor.column);
  return true;
}

function runCellKey(event: KeyboardEvent, list: PagedList, column: string): boolean {
  const item = list.rows.at(selection.cursor);
  if (event.key === 'Escape') {
    cellCursor.set(null);
    return true;
  }
  if (!item) return false;
  if (event.key === 'Enter' || event.key === 'F2') editCell(item, column, null);
  else if (event.key === 'Delete' || event.key === 'Backspace') void clearCell(item, column);
  else if (isCharacter(event) && event.key !== ' ') editCell(item, column, event.key);
  else return false;
  return true;
}

const isCharacter = (event: KeyboardEvent) =>
  event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;

/** Opens the editor of a cell, or says why there is none. */
function editCell(item: Item, column: string, typed: string | null): void {
  const field = editableField(item, column);
  if (!field) return toaster.say(item.may.update ? t.cells.derived : t.cells.denied);
  selection.selectOnly(item.nid, selection.cursor);
  cellCursor.set(column);
  cellCursor.editing = { nid: item.nid, index: selection.cursor, field, typed };
}

/** Goes on from an editor that was left. */
export function leaveCell(move: CellMove, list: PagedList, onmove: (index: number) => void): void {
  const { editing, column } = cellCursor;
  cellCursor.editing = null;
  if (!editing || column === null || move === null) return;
  const item = list.rows.at(editing.index);
  const beside = item && move !== 'down' ? editableBeside(item, column, move === 'next' ? 1 : -1) : undefined;
  if (item && beside !== undefined) return editCell(item, beside, null);
  const below = move === 'previous' ? undefined : list.rows.at(editing.index + 1);
  if (!below) return;
  selection.selectOnly(below.nid, editing.index + 1);
  onmove(editing.index + 1);
  if (move === 'next') editFirst(below);
}

/** Edits the first cell of a row that can be edited. */
function editFirst(item: Item): void {
  cellCursor.set(null);
  const first = editableBeside(item, '', 1);
  if (first !== undefined) editCell(item, first, null);
}
