import { getEntity } from '../../api/resources';
import type { Description } from '../../state/description';
import { dialogs } from '../../state/dialogs.svelte';
import { toaster } from '../../state/toast.svelte';
import { t } from '../../texts';
import { describe } from './description';

/** The description that was copied last, as it was then. */
class DescriptionClipboard {
  copied: Description | null = $state.raw(null);
  /** Set while the item is read: pasting waits for it. */
  #copying: Promise<void> = Promise.resolve();

  copy(nid: number): void {
    this.#copying = this.read(nid);
  }

  private async read(nid: number): Promise<void> {
    try {
      this.copied = describe((await getEntity('node', nid)).body);
      toaster.say(t.description.copied(this.copied.title));
    } catch (error) {
      toaster.warn(error instanceof Error ? error.message : String(error));
    }
  }

  /** Opens the sheet that asks which fields the items get. */
  async paste(nids: number[]): Promise<void> {
    await this.#copying;
    if (this.copied === null) return toaster.say(t.description.nothingCopied);
    if (nids.length > 0) dialogs.open = { kind: 'description', nids, description: this.copied };
  }
}

export const descriptionClipboard = new DescriptionClipboard();
