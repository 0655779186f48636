import { leaveItem, openItem } from '../api/presence';
import type { Colleague } from '../api/types';
import { isSame } from './model_settings';
import { repository } from './repository.svelte';

/** Milliseconds after which the server is told again. It forgets pages after a minute. */
const INTERVAL = 20_000;
/** Milliseconds in which changes are collected. */
const DELAY = 150;

/** Who else has the displayed item open. */
class Presence {
  colleagues: Colleague[] = $state.raw([]);
  /** The item that this page has open. */
  nid: number | null = $state(null);
  #fields: string[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** The item is displayed now; null: none. */
  show(nid: number | null): void {
    if (nid === this.nid) return;
    // Where there is another, the server takes it for this one.
    if (nid === null) this.leave();
    [this.nid, this.#fields, this.colleagues] = [nid, [], []];
    this.refresh();
  }

  /** Something was entered in these fields of the item and is not saved. */
  edit(nid: number, fields: string[]): void {
    if (nid !== this.nid || isSame(fields, this.#fields)) return;
    this.#fields = fields;
    this.refresh();
  }

  /** Those who edit a field of an item. */
  editorsOf(nid: number, field: string): Colleague[] {
    return nid === this.nid ? this.colleagues.filter(({ fields }) => fields.includes(field)) : [];
  }

  /** Tells the server what is displayed, and asks who else has it open. */
  refresh(): void {
    clearTimeout(this.#timer);
    if (this.nid !== null && repository.user) this.#timer = setTimeout(() => void this.ask(), DELAY);
  }

  /** The page is left, or hidden. */
  leave(): void {
    clearTimeout(this.#timer);
    // An answer does not matter: the server forgets the page by itself.
    if (this.nid !== null && repository.user) void leaveItem(this.nid).catch(() => {});
  }

  private async ask(): Promise<void> {
    const nid = this.nid;
    if (nid === null) return;
    // Who cannot be asked now is asked again.
    const colleagues = await openItem(nid, this.#fields).catch(() => null);
    if (nid !== this.nid) return;
    if (colleagues && !isSame(colleagues, this.colleagues)) this.colleagues = colleagues;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.ask(), INTERVAL);
  }
}

export const presence = new Presence();
