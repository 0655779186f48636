import { SvelteSet } from 'svelte/reactivity';
import { getEntity, versionOf } from '../../api/resources';
import {
  listChangedCopies,
  inWindow,
  onChangedCopies,
  resolveWorkingCopy,
  type ChangedWorkingCopy,
} from '../../desktop';
import { toaster } from '../../state/toast.svelte';
import { t } from '../../texts';
import { transferQueue } from '../transfers/transfer_queue.svelte';
import { sendReplacement } from '../transfers/replacement';

/** Working copies that were changed in other programs. */
class WorkingCopies {
  #all: ChangedWorkingCopy[] = $state.raw([]);
  /** Copies that the user decides about later: after the next save, or the next start. */
  readonly #postponed = new SvelteSet<string>();

  /** Changed copies that the user has to decide about. */
  get pending(): ChangedWorkingCopy[] {
    const { need, running, waiting, paused } = transferQueue.overview.groups;
    const sent = [...need, ...running, ...waiting, ...paused].flatMap(({ goal }) =>
      goal.kind === 'media' && goal.replaces?.workingCopy ? [goal.replaces.workingCopy.id] : [],
    );
    return this.#all.filter((copy) => !sent.includes(copy.id) && !this.#postponed.has(copyKey(copy)));
  }

  /** Listens for changed copies. Returns a function that stops it. */
  listen(): () => void {
    if (!inWindow) return () => {};
    const receive = (changed: ChangedWorkingCopy[]) => (this.#all = changed);
    let received = false;
    const listening = onChangedCopies((changed) => {
      received = true;
      receive(changed);
    });
    // The first answer may be older than an event received since.
    void listening.then(listChangedCopies).then((changed) => received || receive(changed));
    return () => void listening.then((stop) => stop());
  }

  /** Uploads the copy as a replacement, with the ETag that it was made from. */
  replace(copy: ChangedWorkingCopy): void {
    if (copy.useTid === null) return;
    const { id, sha512, mid, filename: name, etag } = copy;
    const file = { name, size: copy.size, mime: copy.mime, folder: [], source: { path: copy.path } };
    const place = { nid: copy.nid, itemTitle: copy.itemTitle, bundle: copy.mediaType, useTid: copy.useTid };
    const taken = async (state: number | null) => {
      const now = await getEntity('media', mid).catch(() => null);
      // If somebody else has changed the media since, the next save of the copy asks again.
      const own = now !== null && versionOf(now.body) === state;
      await resolveWorkingCopy(id, sha512, own ? now.etag : etag).catch(() => {});
    };
    sendReplacement(file, place, { mid, name, workingCopy: { id, etag, taken } });
  }

  postpone(copy: ChangedWorkingCopy): void {
    this.#postponed.add(copyKey(copy));
  }

  /** Discards the changes of the copy. */
  async discard(copy: ChangedWorkingCopy): Promise<void> {
    try {
      await resolveWorkingCopy(copy.id, copy.sha512, null);
      toaster.say(t.opened.left(copy.filename));
    } catch (error) {
      toaster.warn(error instanceof Error ? error.message : String(error));
    }
  }
}

function copyKey({ id, sha512 }: ChangedWorkingCopy): string {
  return `${id}/${sha512}`;
}

export const workingCopies = new WorkingCopies();
