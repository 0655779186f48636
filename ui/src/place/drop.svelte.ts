import type { Item } from '../api/types';
import { inWindow, onNativeDrop } from '../desktop';
import { fromPaths, fromTransfer, type DroppedFile } from '../transfers/dropped';

/** Where files would go: into a collection (null: none), or to an item. */
export type DropTarget = { kind: 'collection'; nid: number | null } | { kind: 'item'; nid: number };

/** Marks an element as a place where files can be dropped. */
export function dropMark(target: DropTarget): string {
  return `${target.kind}:${target.nid ?? ''}`;
}

/** Where files go that are dropped on an item of a list; null: where those go that are dropped beside it. */
export function targetOf({ nid, is_collection, may }: Item): DropTarget | null {
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

/** Files dragged over the page, and what is under them. */
class Drops {
  over: DropTarget | null = $state.raw(null);
  /** Files that were dropped or chosen and wait for a word; null while the sheet is closed. */
  pending: { target: DropTarget; files: Promise<DroppedFile[]> } | null = $state.raw(null);
  allowed: (target: DropTarget) => boolean = () => false;

  /** Listens to the window's own drops, or to the browser's. Returns how to stop. */
  listen(): () => void {
    return inWindow ? this.listenToWindow() : this.listenToBrowser();
  }

  offer(target: DropTarget, files: Promise<DroppedFile[]>): void {
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
      if (event.type === 'drop' && target) this.offer(target, fromPaths(event.paths));
    });
    return () => void stop.then((unlisten) => unlisten());
  }

  private listenToBrowser(): () => void {
    const controller = new AbortController();
    const { signal } = controller;
    addEventListener('dragover', (event) => this.dragOver(event), { signal });
    addEventListener('dragleave', (event) => event.relatedTarget === null && (this.over = null), { signal });
    addEventListener('drop', (event) => this.dropped(event), { signal });
    return () => controller.abort();
  }

  private dragOver(event: DragEvent): void {
    if (!hasFiles(event)) return;
    // Without this the browser would open the file in place of the page.
    event.preventDefault();
    this.over = this.targetAt(event.clientX, event.clientY);
    if (event.dataTransfer) event.dataTransfer.dropEffect = this.over ? 'copy' : 'none';
  }

  private dropped(event: DragEvent): void {
    if (!hasFiles(event)) return;
    event.preventDefault();
    const target = this.targetAt(event.clientX, event.clientY);
    this.over = null;
    if (target && event.dataTransfer) this.offer(target, fromTransfer(event.dataTransfer));
  }

  /** No drop lands on a page that is under an open sheet, nor where it would be refused. */
  private targetAt(x: number, y: number): DropTarget | null {
    if (this.pending !== null || document.querySelector('dialog[open]') !== null) return null;
    const target = targetAt(x, y);
    return target && this.allowed(target) ? target : null;
  }
}

function hasFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes('Files') ?? false;
}

export const drops = new Drops();
