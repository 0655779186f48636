/** Makes the pages of an item's original file into items of their own: one change, which the server carries out. */
import { makeItemPages, readItemPages } from '../../api/pages';
import { ServerUnreachable } from '../../api/errors';
import type { Batch, Item } from '../../api/types';
import { followBatch } from '../../state/batch_run';
import { refreshLists } from '../../state/live_updates';
import { mayCreateItem, mayCreateMedia } from '../../state/permissions';
import { toaster } from '../../state/toast.svelte';
import { undoHistory } from '../../state/undo_history.svelte';
import type { Step } from '../../state/undo_stack';
import { batchStep } from '../../state/undo_steps';
import { t } from '../../texts';
import { undoAction } from '../undo/undo.svelte';

/** An item with a file of several pages. */
export type Book = Pick<Item, 'nid' | 'title'>;

/** Whether the pages of an item's file can become items: its file has several, and the user may make them. */
export function mayMakePages(item: Item): boolean {
  const { pages, may, is_collection: isCollection, type } = item;
  return (pages ?? 0) > 1 && !isCollection && may.update && mayCreateItem(type) && mayCreateMedia();
}

/** Begins to make so many pages, and tells the outcome later. Answers the step that takes them back. */
export async function beginPages({ nid, title }: Book, pages: number): Promise<Step> {
  const begun = await makeItemPages(nid, t.pages.title('{title}', '{page}'));
  void followBatch(begun).then(
    (batch) => tellOutcome(batch, title),
    (error: unknown) => tellFailure(title, error),
  );
  return { ...batchStep(begun, { what: 'pages', title }), items: pages };
}

/** Begins to make the pages of a file that was uploaded. Without them, its item is a book that offers to make them. */
export async function pagesAfterUpload(nid: number | null, title: string, pages: number): Promise<Step[]> {
  try {
    return [await beginPages({ nid: nid ?? 0, title }, pages)];
  } catch (error) {
    tellFailure(title, error);
    return [];
  }
}

/** Makes the pages of an item's file, as far as there are none yet. An undo that is asked for meanwhile waits. */
export function makePages(book: Book): Promise<void> {
  return undoHistory.during(() =>
    makeMissing(book).catch((error: unknown) => tellFailure(book.title, error)),
  );
}

async function makeMissing(book: Book): Promise<void> {
  const { pages, made, batch } = await readItemPages(book.nid);
  if (batch) return toaster.say(t.pages.running(book.title));
  const missing = (pages ?? 0) - made;
  if (pages != null && missing <= 0) return toaster.say(t.pages.allThere(book.title));
  undoHistory.record(await beginPages(book, missing));
  toaster.say(t.pages.begun(book.title), undoAction());
  refreshLists();
}

function tellFailure(title: string, error: unknown): void {
  if (error instanceof ServerUnreachable) return toaster.warn(t.failures.unreachable);
  toaster.warn(t.pages.failed(title, error instanceof Error ? error.message : String(error)));
}

function tellOutcome({ state, reason, total, refused }: Batch, title: string): void {
  if (state === 'failed') toaster.warn(t.pages.failed(title, reason ?? ''));
  else if (refused > 0) toaster.warn(t.pages.someFailed(refused, title));
  else if (state === 'done' && total === 0) toaster.say(t.pages.onlyOne(title));
  // The item itself is the first of the batch.
  else if (state === 'done') toaster.say(t.pages.made(total - 1, title));
}
