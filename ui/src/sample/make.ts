import { createEntity, idOf, reference } from '../api/resources';
import type { Entity } from '../api/types';
import { MODEL, ORIGINAL_FILE } from '../media_types/kind';
import { modelTerm } from '../media_types/registry';
import { repository } from '../place/repository.svelte';
import { t } from '../texts';
import { sendFile } from '../transfers/send';
import type { Step } from '../undo/change';
import { newStep } from '../undo/step_of';
import { BOOK, MAPS } from './contents';
import { drawMap, drawPage } from './draw';

/** Makes the sample collection and answers its number. `told` hears how far it is, `steps` is how it is taken back. */
export async function makeSample(told: (done: number, all: number) => void, steps: Step[]): Promise<number> {
  let made = 0;
  const all = MAPS.length + BOOK.pages + 2;
  const make = async (title: string, model: string, parent: number | null, more: Entity = {}) => {
    const entity = await create(title, model, parent, more);
    steps.push({ ...newStep('node', entity), withFiles: true });
    made += 1;
    told(made, all);
    return idOf('node', entity);
  };
  const collection = await make(t.sample.title, MODEL.collection, null, {
    field_description: [{ value: t.sample.description }],
  });
  for (const { title, date, extent, seed } of MAPS) {
    const nid = await make(title, MODEL.image, collection, described(date, extent));
    await send(nid, await drawMap(title, seed));
  }
  const book = await make(BOOK.title, MODEL.paged, collection, described(BOOK.date, BOOK.extent));
  for (let number = 1; number <= BOOK.pages; number += 1) {
    const weight = { field_weight: [{ value: number }] };
    const nid = await make(t.sample.page(number), MODEL.page, book, weight);
    await send(nid, await drawPage(number));
  }
  return collection;
}

const described = (date: string, extent: string): Entity => ({
  field_edtf_date_created: [{ value: date }],
  field_extent: [{ value: extent }],
});

async function create(title: string, model: string, parent: number | null, more: Entity): Promise<Entity> {
  const fields: Entity = {
    title: [{ value: title }],
    field_model: [reference('taxonomy_term', modelTerm(repository.model, model)?.tid ?? 0)],
    ...more,
  };
  if (parent !== null) fields.field_member_of = [reference('node', parent)];
  return (await createEntity('node', 'islandora_object', fields)).body;
}

async function send(nid: number, file: File): Promise<void> {
  const use = repository.model.media_uses.find(({ uri }) => uri === ORIGINAL_FILE)?.tid ?? 0;
  const contentLocation = `public://sample/${nid}-${file.name}`;
  const order = {
    id: `sample-${nid}`,
    source: { file },
    nid,
    mediaType: 'image',
    useTid: use,
    mime: file.type,
  };
  await sendFile({ ...order, contentLocation, ifMatch: null, begun: { path: null } }, () => {}).done;
}
