import type { Item } from '../../api/types';
import { inWindow, onNativeDrop } from '../../desktop';
import { DropHold } from './drop_hold.svelte';
import {
  filesFromDataTransfer,
  filesFromDialog,
  filesFromPaths,
  type DroppedFile,
  type FileDialogOptions,
} from './dropped_files';

/** The target of a drop: a collection or a paged item (null: none), or an item that gets files. */
export type DropTarget = { kind: 'collection'; nid: number | null } | { kind: 'item'; nid: number };

/** Value of the `data-drop` attribute that makes an element a drop target. */
export function dropMark(target: DropTarget): string {
  return `${target.kind}:${target.nid ?? ''}`;
}

/** The drop target of an item in a list; null: that of the list. A paged item gets pages. */
export function dropTargetOf({ nid, is_collection, model, may }: Item): DropTarget | null {
  if (is_collection || model?.role === 'paged') return { kind: 'collection', nid };
  return may.add_media ? { kind: 'item', nid } : null;
}

/** An element that takes a drop. */
interface MarkedElement {
  element: HTMLElement;
  target: DropTarget;
}

function markedElement(inside: Element | null | undefined): MarkedElement | null {
  const element = inside?.closest<HTMLElement>('[data-drop]');
  const mark = element?.dataset.drop;
  if (!element || !mark) return null;
  const [kind, id] = mark.split(':');
  if (kind === 'item') return { element, target: { kind, nid: Number(id) } };
  return { element, target: { kind: 'collection', nid: id ? Number(id) : null } };
}

/** What is dragged, as far as it is known before the drop. */
export interface DraggedFiles {
  /** Files and folders; null while it is unknown. */
  count: number | null;
  /** Whether some may be folders. */
  mayBeFolders: boolean;
}

/** A drag over the page. Positions in CSS pixels. */
interface DragPosition {
  x: number;
  y: number;
  /** Whether the key is pressed that aims at the item under the pointer. */
  aims: boolean;
}

const UNKNOWN: DraggedFiles = { count: null, mayBeFolders: true };

/** Drag and drop of files onto the page. */
class FileDrop {
  /** The target that a drop would have now. */
  over: DropTarget | null = $state.raw(null);
  /** Title of that target. */
  name = $state('');
  /** The dragged files; null while no files are dragged. */
  dragged: DraggedFiles | null = $state.raw(null);
  x = $state(0);
  y = $state(0);
  /** The item under the pointer that becomes the target when the pointer rests on it. */
  readonly hold = new DropHold();
  /** Dropped or selected files that wait for a confirmation; null while no dialog is open. */
  pending: { target: DropTarget; files: Promise<DroppedFile[]> } | null = $state.raw(null);
  isAllowed: (target: DropTarget) => boolean = () => false;

  /** Listens to native drops in the window, or to those of the browser. Returns a function that stops it. */
  listen(): () => void {
    return inWindow ? this.listenToWindow() : this.listenToBrowser();
  }

  open(target: DropTarget, files: Promise<DroppedFile[]>): void {
    this.pending = { target, files };
  }

  /** Opens a file dialog, then the sheet with what was selected. */
  async choose(target: DropTarget, options: FileDialogOptions): Promise<void> {
    const files = filesFromDialog(options);
    if (!inWindow && (await files).length === 0) return;
    this.open(target, files);
  }

  isOver(target: DropTarget | null): boolean {
    return this.over !== null && target !== null && dropMark(this.over) === dropMark(target);
  }

  private listenToWindow(): () => void {
    const stop = onNativeDrop((event) => {
      if (event.type === 'leave') return this.end();
      // No keys are known during a native drag.
      const target = this.move({ x: event.x, y: event.y, aims: false });
      if (event.type === 'over')
        return void (this.dragged = event.paths ? ofPaths(event.paths) : this.dragged);
      this.end();
      if (target) this.open(target, filesFromPaths(event.paths));
    });
    return () => void stop.then((unlisten) => unlisten());
  }

  private listenToBrowser(): () => void {
    const controller = new AbortController();
    const { signal } = controller;
    addEventListener('dragover', (event) => this.dragOver(event), { signal });
    addEventListener('dragleave', (event) => event.relatedTarget === null && this.end(), { signal });
    addEventListener('drop', (event) => this.drop(event), { signal });
    return () => controller.abort();
  }

  private dragOver(event: DragEvent): void {
    const { dataTransfer } = event;
    if (!dataTransfer || !hasFiles(event)) return;
    // Otherwise the browser would open the file.
    event.preventDefault();
    this.dragged ??= ofTransfer(dataTransfer);
    const target = this.move({ x: event.clientX, y: event.clientY, aims: event.altKey });
    dataTransfer.dropEffect = target ? 'copy' : 'none';
  }

  private drop(event: DragEvent): void {
    if (!hasFiles(event)) return;
    event.preventDefault();
    const target = this.move({ x: event.clientX, y: event.clientY, aims: event.altKey });
    this.end();
    if (target && event.dataTransfer) this.open(target, filesFromDataTransfer(event.dataTransfer));
  }

  private end(): void {
    this.hold.end();
    this.over = null;
    this.dragged = null;
  }

  /** Sets and answers the target at a position; null under an open dialog, and where the drop is not allowed. */
  private move(position: DragPosition): DropTarget | null {
    const { x, y, aims } = position;
    [this.x, this.y] = [x, y];
    this.dragged ??= UNKNOWN;
    const blocked = this.pending !== null || document.querySelector('dialog[open]') !== null;
    const under = blocked ? null : this.allowed(markedElement(document.elementFromPoint(x, y)));
    const isItem = under !== null && under.element.dataset.nid !== undefined && inItemList(under.element);
    const around = isItem ? this.allowed(markedElement(under.element.parentElement)) : null;
    this.hold.move(
      isItem ? dropMark(under.target) : null,
      isItem ? nameOf(under.element) : '',
      position,
      () => this.move({ ...position, aims: true }),
    );
    const isAimed = !isItem || aims || this.hold.held || around === null;
    const marked = isAimed ? under : around;
    this.name = marked ? nameOf(marked.element) : '';
    return (this.over = marked?.target ?? null);
  }

  private allowed(marked: MarkedElement | null): MarkedElement | null {
    return marked && this.isAllowed(marked.target) ? marked : null;
  }
}

/** Items of a list are small targets, close together: the list around them is the target unless one is aimed at. */
function inItemList(element: HTMLElement): boolean {
  return element.closest('#pane-items') !== null;
}

function nameOf({ dataset, ariaLabel }: HTMLElement): string {
  return dataset.name ?? ariaLabel ?? '';
}

function hasFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes('Files') ?? false;
}

/** Before the drop, a browser tells of each thing only the type, which folders have none of. */
function ofTransfer({ items }: DataTransfer): DraggedFiles {
  const files = [...items].filter(({ kind }) => kind === 'file');
  return { count: files.length || null, mayBeFolders: files.some(({ type }) => type === '') };
}

function ofPaths(paths: string[]): DraggedFiles {
  return { count: paths.length, mayBeFolders: paths.some((path) => !/\.[^./\\]+$/.test(path)) };
}

export const fileDrop = new FileDrop();
