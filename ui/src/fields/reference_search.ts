import { cacheLabel } from '../api/labels.svelte';
import { listItems, listMedia } from '../api/read';
import { createEntity, idOf } from '../api/resources';
import type { ContentModel, Field, Label } from '../api/types';
import type { Option } from '../components/Combobox.svelte';
import { t } from '../texts';
import { createUndoable } from '../state/undoable_create';
import { shortUri } from './short_uri';
import { findTermsByName } from './term_search';
import { shippedLabel } from '../texts/shipped_labels';

/** Finds resources that a field can reference. */
export async function findTargets(
  field: Field,
  words: string,
  model: ContentModel,
  signal: AbortSignal,
): Promise<Option[]> {
  if (field.target_type === 'node') return findItems(words, signal);
  if (field.target_type === 'media') return findMedia(words);
  return findTerms(field, words, model, signal);
}

async function findItems(words: string, signal: AbortSignal): Promise<Option[]> {
  const query = { view: 'all', q: words, sort: 'title', order: 'asc' } as const;
  const { items } = await listItems(query, null, 20, signal);
  return items.map((item) => {
    cacheTarget('node', item.nid, item.title, item.type, null, item.picture?.url ?? null);
    const detail = shippedLabel(item.model?.name ?? '');
    return { id: String(item.nid), label: item.title, detail, picture: item.picture?.url };
  });
}

async function findMedia(words: string): Promise<Option[]> {
  const { media } = await listMedia(null, 200);
  const wanted = words.toLocaleLowerCase();
  return media
    .filter((one) => one.name.toLocaleLowerCase().includes(wanted))
    .slice(0, 20)
    .map((one) => {
      cacheTarget('media', one.mid, one.name, one.bundle, null, null);
      return { id: String(one.mid), label: one.name, detail: one.node?.title };
    });
}

async function findTerms(
  field: Field,
  words: string,
  model: ContentModel,
  signal: AbortSignal,
): Promise<Option[]> {
  const vocabularies = field.target_bundles ?? [];
  const terms = await findTermsByName(vocabularies, words, signal);
  const several = vocabularies.length > 1;
  return terms.map((term) => {
    cacheTarget('taxonomy_term', term.tid, term.name, term.vocabulary, term.uri ?? null, null);
    const vocabulary = several ? (model.vocabularies[term.vocabulary]?.label ?? term.vocabulary) : '';
    const uri = term.uri ? shortUri(term.uri) : t.fields.localTerm;
    const detail = [vocabulary, uri, t.count.uses(term.uses)].filter(Boolean).join(' · ');
    return { id: String(term.tid), label: term.name, detail };
  });
}

/** Options that create a term, in the order of the vocabularies in the content model. */
export function newTermOptions(
  field: Field,
  name: string,
  model: ContentModel,
  mayCreate: (vocabulary: string) => boolean,
): Option[] {
  if (name === '') return [];
  return (field.target_bundles ?? [])
    .filter((vocabulary) => allowsNewTerms(field, vocabulary) && mayCreate(vocabulary))
    .map((vocabulary) => ({
      id: `new:${vocabulary}:${name}`,
      label: t.fields.newTerm(name, model.vocabularies[vocabulary]?.label ?? vocabulary),
      act: true,
    }));
}

/** Vocabularies that the program uses get no new terms here. */
function allowsNewTerms(field: Field, vocabulary: string): boolean {
  return field.auto_create === true || (field.cardinality !== 1 && !vocabulary.startsWith('islandora_'));
}

/** The id of an option; creates the term first where the option says so. */
export async function resolveOption(option: Option): Promise<number> {
  const match = /^new:([^:]+):(.*)$/s.exec(option.id);
  if (!match) return Number(option.id);
  const [, vocabulary = '', name = ''] = match;
  const make = () => createEntity('taxonomy_term', vocabulary, { name: [{ value: name }] });
  const body = await createUndoable('taxonomy_term', async () => (await make()).body);
  const tid = idOf('taxonomy_term', body);
  cacheTarget('taxonomy_term', tid, name, vocabulary, null, null);
  return tid;
}

function cacheTarget(
  target_type: Label['target_type'],
  target_id: number,
  label: string,
  bundle: string,
  uri: string | null,
  picture_url: string | null,
): void {
  cacheLabel({ target_type, target_id, label, bundle, uri, picture_url });
}
