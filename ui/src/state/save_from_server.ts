import { readBytes } from '../api/read_bytes';
import { inWindow, saveAs, saveTextAs } from '../desktop';
import { t } from '../texts';
import { errorText } from './batch_preview.svelte';
import { download } from './download';
import { toaster } from './toast.svelte';

/** Saves what the server answers at an address as a file of this name. */
export async function saveFromServer(url: string, name: string): Promise<void> {
  try {
    if (inWindow) announce(await saveAs(url, name));
    else download(await readBytes(url, new AbortController().signal, () => {}), name);
  } catch (error) {
    toaster.warn(errorText(error));
  }
}

/** Saves a text of the page as a file of this name. */
export async function saveText(text: string, name: string): Promise<void> {
  try {
    if (inWindow) announce(await saveTextAs(text, name));
    else download(new Blob([text], { type: 'text/plain;charset=utf-8' }), name);
  } catch (error) {
    toaster.warn(errorText(error));
  }
}

function announce({ path }: { path: string | null }): void {
  if (path) toaster.say(t.files.savedTo(path));
}
