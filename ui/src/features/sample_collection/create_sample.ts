import { createEntity, idOf, reference } from '../../api/resources';
import type { Entity, TermRole } from '../../api/types';
import { modelTerm, useTerm } from '../../media_display/file_kinds';
import { repository } from '../../state/repository.svelte';
import { t } from '../../texts';
import { startUpload } from '../transfers/upload';
import type { Step } from '../../state/undo_stack';
import { newStep } from '../../state/undo_steps';
import { BOOK, MAPS } from './contents';
import { drawMap, drawPage } from './drawings';

/** Creates the sample collection and answers its id. `steps` receives the undo steps. */
export async function createSample(
  onProgress: (done: number, all: number) => void,
  steps: Step[],
): Promise<number> {
  let made = 0;
  const all = MAPS.length + BOOK.pages + 2;
  const roles = repository.model.field_roles;
  const make = async (title: string, model: TermRole, parent: number | null, more: Entity = {}) => {
    const entity = await create(title, model, parent, more);
    steps.push({ ...newStep('node', entity), withFiles: true });
    made += 1;
    onProgress(made, all);
    return idOf('node', entity);
  };
  const collection = await make(t.sample.title, 'collection', null, {
    [roles.description]: [{ value: t.sample.description }],
  });
  for (const { title, date, extent, seed } of MAPS) {
    const nid = await make(title, 'image', collection, dateAndExtent(date, extent));
    await uploadSample(nid, await drawMap(title, seed));
  }
  const book = await make(BOOK.title, 'paged', collection, dateAndExtent(BOOK.date, BOOK.extent));
  for (let number = 1; number <= BOOK.pages; number += 1) {
    const weight = { [roles.weight]: [{ value: number }] };
    const nid = await make(t.sample.page(number), 'page', book, weight);
    await uploadSample(nid, await drawPage(number));
  }
  return collection;
}

const dateAndExtent = (date: string, extent: string): Entity => ({
  [repository.model.field_roles.date_created]: [{ value: date }],
  [repository.model.field_roles.extent]: [{ value: extent }],
});

async function create(title: string, model: TermRole, parent: number | null, more: Entity): Promise<Entity> {
  const { bundle_roles, field_roles } = repository.model;
  const fields: Entity = {
    title: [{ value: title }],
    [field_roles.model]: [reference('taxonomy_term', modelTerm(repository.model, model)?.tid ?? 0)],
    ...more,
  };
  if (parent !== null) fields[field_roles.member_of] = [reference('node', parent)];
  return (await createEntity('node', bundle_roles.item, fields)).body;
}

async function uploadSample(nid: number, file: File): Promise<void> {
  const use = useTerm(repository.model, 'original_file')?.tid ?? 0;
  const contentLocation = `public://sample/${nid}-${file.name}`;
  const order = {
    id: `sample-${nid}`,
    source: { file },
    nid,
    mediaType: 'image',
    useTid: use,
    mime: file.type,
  };
  await startUpload({ ...order, contentLocation, ifMatch: null, handle: { path: null } }, () => {}).done;
}
