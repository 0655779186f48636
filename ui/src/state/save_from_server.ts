import { readBytes } from '../api/read_bytes';
import { inWindow, saveAs } from '../desktop';
import { t } from '../texts';
import { errorText } from './batch_preview.svelte';
import { download } from './download';
import { toaster } from './toast.svelte';

/** Saves what the server answers at an address as a file of this name. */
export async function saveFromServer(url: string, name: string): Promise<void> {
  try {
    if (inWindow) {
      const { saved, path } = await saveAs(url, name);
      if (saved && path) toaster.say(t.files.savedTo(path));
    } else download(await readBytes(url, new AbortController().signal, () => {}), name);
  } catch (error) {
    toaster.warn(errorText(error));
  }
}
