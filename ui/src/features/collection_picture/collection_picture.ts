import { listItemMedia } from '../../api/read';
import { createEntity, reference } from '../../api/resources';
import type { Collection, Item, Media } from '../../api/types';
import { useTerm } from '../../media_display/file_kinds';
import { mediaWithUse } from '../../media_display/presentation';
import { toItemMedia } from '../../state/item_media';
import { refreshLists } from '../../state/live_updates';
import { repository } from '../../state/repository.svelte';
import { toaster } from '../../state/toast.svelte';
import { undoHistory } from '../../state/undo_history.svelte';
import type { Step } from '../../state/undo_stack';
import { newStep } from '../../state/undo_steps';
import { t } from '../../texts';
import { deleteMediaRecorded } from '../delete/delete';
import { undoAction } from '../undo/undo.svelte';

/**
 * The picture of a collection is a media of its own with the use Thumbnail Image. It shows the file of the chosen item,
 * so no bytes are copied, and a change of that file shows here too.
 */
export function useAsPicture(item: Item, collection: Collection): Promise<void> {
  return recorded(async (steps) => {
    const chosen = await pictureOf(item);
    const own = await ownPictures(collection.nid);
    if (!chosen?.file) return t.collectionPicture.noPicture;
    if (own.some(({ file }) => file?.fid === chosen.file?.fid)) return t.collectionPicture.already;
    const fields = fieldsOf(item, chosen, collection.nid);
    const { body } = await createEntity('media', chosen.bundle, fields);
    steps.push(newStep('media', body));
    for (const former of own) await deleteMediaRecorded(former, false, steps);
    return t.collectionPicture.used(item.title, collection.title);
  });
}

/** Takes a choice back: from then on the collection shows the first picture that is found in it. */
export function removePicture({ nid, title }: Pick<Collection, 'nid' | 'title'>): Promise<void> {
  return recorded(async (steps) => {
    const own = await ownPictures(nid);
    for (const former of own) await deleteMediaRecorded(former, false, steps);
    return own.length > 0 ? t.collectionPicture.removed(title) : t.collectionPicture.none;
  });
}

/** Runs a change that records its steps, also where it breaks off. It returns the words for the user. */
function recorded(change: (steps: Step[]) => Promise<string>): Promise<void> {
  return undoHistory.during(async () => {
    const steps: Step[] = [];
    const undo = () => (steps.length > 0 ? undoAction() : undefined);
    const record = () => {
      if (steps.length > 0) undoHistory.record(...steps);
      refreshLists();
    };
    try {
      const words = await change(steps);
      record();
      toaster.say(words, undo());
    } catch (error) {
      record();
      toaster.warn(error instanceof Error ? error.message : String(error), undo());
    }
  });
}

/** The media whose file lists show for an item. */
async function pictureOf(item: Item): Promise<Media | undefined> {
  const shown = pathOf(item.picture?.url);
  return (await listItemMedia(item.nid)).find(
    ({ file }) => shown !== null && pathOf(file?.view_url) === shown,
  );
}

const pathOf = (url: string | undefined) => (url ? new URL(url).pathname : null);

async function ownPictures(nid: number): Promise<Media[]> {
  const own = toItemMedia(await listItemMedia(nid));
  return own.media.filter((one) => mediaWithUse({ ...own, media: [one] }, 'thumbnail_image'));
}

function fieldsOf(item: Item, { bundle, file }: Media, nid: number) {
  const { field_roles: roles, media_types: types } = repository.model;
  const source = types[bundle]?.source_field ?? '';
  const use = useTerm(repository.model, 'thumbnail_image');
  return {
    name: [{ value: item.title }],
    [roles.media_of]: [reference('node', nid)],
    [roles.media_use]: [reference('taxonomy_term', use?.tid ?? 0)],
    [source]: [{ ...reference('file', file?.fid ?? 0), alt: item.title }],
  };
}
