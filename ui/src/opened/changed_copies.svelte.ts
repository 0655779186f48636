import { SvelteSet } from 'svelte/reactivity';
import { getEntity, versionOf } from '../api/resources';
import { changedCopies, inWindow, onChangedCopies, settleCopy, type ChangedCopy } from '../desktop';
import { toaster } from '../parts/toast.svelte';
import { t } from '../texts';
import { queue } from '../transfers/queue.svelte';
import { sendReplacement } from '../transfers/replacement';

/** What was saved in other programs and may come back. */
class ChangedCopies {
  #all: ChangedCopy[] = $state.raw([]);
  /** States that somebody wants to decide about later: until the next save, or the next start. */
  readonly #later = new SvelteSet<string>();

  /** Those that somebody is asked about now. */
  get asked(): ChangedCopy[] {
    const { need, running, waiting, paused } = queue.overview.groups;
    const sent = [...need, ...running, ...waiting, ...paused].flatMap(({ goal }) =>
      goal.kind === 'media' && goal.replaces?.copy ? [goal.replaces.copy.id] : [],
    );
    return this.#all.filter((copy) => !sent.includes(copy.id) && !this.#later.has(stateOf(copy)));
  }

  /** Follows the copies. Returns how to stop. */
  listen(): () => void {
    if (!inWindow) return () => {};
    const hear = (changed: ChangedCopy[]) => (this.#all = changed);
    let heard = false;
    const listening = onChangedCopies((changed) => {
      heard = true;
      hear(changed);
    });
    // What was asked for at first may be older than what has been heard since.
    void listening.then(changedCopies).then((changed) => heard || hear(changed));
    return () => void listening.then((stop) => stop());
  }

  /** Sends it as any replacement, upon the state that it was made from. */
  replace(copy: ChangedCopy): void {
    if (copy.useTid === null) return;
    const { id, sha512, mid, filename: name, etag } = copy;
    const file = { name, size: copy.size, mime: copy.mime, folder: [], source: { path: copy.path } };
    const place = { nid: copy.nid, itemTitle: copy.itemTitle, bundle: copy.mediaType, useTid: copy.useTid };
    const taken = async (state: number | null) => {
      const now = await getEntity('media', mid).catch(() => null);
      // Where somebody else has changed it since, whoever saves the copy once more is asked.
      const own = now !== null && versionOf(now.body) === state;
      await settleCopy(id, sha512, own ? now.etag : etag).catch(() => {});
    };
    sendReplacement(file, place, { mid, name, copy: { id, etag, taken } });
  }

  later(copy: ChangedCopy): void {
    this.#later.add(stateOf(copy));
  }

  /** The repository keeps what it has. */
  async leave(copy: ChangedCopy): Promise<void> {
    try {
      await settleCopy(copy.id, copy.sha512, null);
      toaster.say(t.opened.left(copy.filename));
    } catch (error) {
      toaster.warn(error instanceof Error ? error.message : String(error));
    }
  }
}

function stateOf({ id, sha512 }: ChangedCopy): string {
  return `${id}/${sha512}`;
}

export const changedCopiesHere = new ChangedCopies();
