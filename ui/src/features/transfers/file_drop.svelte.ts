import type { Item } from '../../api/types';
import { inWindow, onNativeDrop } from '../../desktop';
import { filesFromPaths, filesFromDataTransfer, type DroppedFile } from './dropped_files';

/** The target of a drop: a collection (null: none), or an item. */
export type DropTarget = { kind: 'collection'; nid: number | null } | { kind: 'item'; nid: number };

/** Value of the `data-drop` attribute that makes an element a drop target. */
export function dropMark(target: DropTarget): string {
  return `${target.kind}:${target.nid ?? ''}`;
}

/** The drop target of an item in a list; null: that of the list. */
export function dropTargetOf({ nid, is_collection, may }: Item): DropTarget | null {
  if (is_collection) return { kind: 'collection', nid };
  return may.add_media ? { kind: 'item', nid } : null;
}

function targetAt(x: number, y: number): DropTarget | null {
  const mark = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-drop]')?.dataset.drop;
  if (!mark) return null;
  const [kind, id] = mark.split(':');
  if (kind === 'item') return { kind, nid: Number(id) };
  return { kind: 'collection', nid: id ? Number(id) : null };
}

/** Drag and drop of files onto the page. */
class FileDrop {
  over: DropTarget | null = $state.raw(null);
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

  isOver(target: DropTarget | null): boolean {
    return this.over !== null && target !== null && dropMark(this.over) === dropMark(target);
  }

  private listenToWindow(): () => void {
    const stop = onNativeDrop((event) => {
      if (event.type === 'leave') return void (this.over = null);
      const target = this.targetAt(event.x, event.y);
      this.over = event.type === 'over' ? target : null;
      if (event.type === 'drop' && target) this.open(target, filesFromPaths(event.paths));
    });
    return () => void stop.then((unlisten) => unlisten());
  }

  private listenToBrowser(): () => void {
    const controller = new AbortController();
    const { signal } = controller;
    addEventListener('dragover', (event) => this.dragOver(event), { signal });
    addEventListener('dragleave', (event) => event.relatedTarget === null && (this.over = null), { signal });
    addEventListener('drop', (event) => this.drop(event), { signal });
    return () => controller.abort();
  }

  private dragOver(event: DragEvent): void {
    if (!hasFiles(event)) return;
    // Otherwise the browser would open the file.
    event.preventDefault();
    this.over = this.targetAt(event.clientX, event.clientY);
    if (event.dataTransfer) event.dataTransfer.dropEffect = this.over ? 'copy' : 'none';
  }

  private drop(event: DragEvent): void {
    if (!hasFiles(event)) return;
    event.preventDefault();
    const target = this.targetAt(event.clientX, event.clientY);
    this.over = null;
    if (target && event.dataTransfer) this.open(target, filesFromDataTransfer(event.dataTransfer));
  }

  /** The target at a position; null under an open dialog, and where the drop is not allowed. */
  private targetAt(x: number, y: number): DropTarget | null {
    if (this.pending !== null || document.querySelector('dialog[open]') !== null) return null;
    const target = targetAt(x, y);
    return target && this.isAllowed(target) ? target : null;
  }
}

function hasFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes('Files') ?? false;
}

export const fileDrop = new FileDrop();
