import { learn } from '../api/labels.svelte';
import { listItems, listMedia, listTerms } from '../api/read';
import { createEntity, idOf } from '../api/resources';
import type { ContentModel, Field, Label } from '../api/types';
import type { Option } from '../parts/Combobox.svelte';
import { t } from '../texts';
import { makeOne } from '../undo/made';
import { shortUri } from './short_uri';

/** What can be referenced by a field and matches some words; new terms are offered last. */
export async function findTargets(
  field: Field,
  words: string,
  model: ContentModel,
  mayCreate: (vocabulary: string) => boolean,
  signal: AbortSignal,
): Promise<Option[]> {
  if (field.target_type === 'node') return findItems(words, signal);
  if (field.target_type === 'media') return findMedia(words);
  return findTerms(field, words, model, mayCreate, signal);
}

async function findItems(words: string, signal: AbortSignal): Promise<Option[]> {
  const query = { view: 'all', q: words, sort: 'title', order: 'asc' } as const;
  const { items } = await listItems(query, null, 20, signal);
  return items.map((item) => {
    remember('node', item.nid, item.title, item.type, null, item.picture?.url ?? null);
    const detail = item.model?.name ?? '';
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
      remember('media', one.mid, one.name, one.bundle, null, null);
      return { id: String(one.mid), label: one.name, detail: one.node?.title };
    });
}

async function findTerms(
  field: Field,
  words: string,
  model: ContentModel,
  mayCreate: (vocabulary: string) => boolean,
  signal: AbortSignal,
): Promise<Option[]> {
  const vocabularies = field.target_bundles ?? [];
  const { terms } = await listTerms(vocabularies, words, 20, null, signal);
  const several = vocabularies.length > 1;
  const found: Option[] = terms.map((term) => {
    remember('taxonomy_term', term.tid, term.name, term.vocabulary, term.uri ?? null, null);
    const vocabulary = several ? (model.vocabularies[term.vocabulary]?.label ?? term.vocabulary) : '';
    const uri = term.uri ? shortUri(term.uri) : t.fields.localTerm;
    const detail = [vocabulary, uri, t.count.uses(term.uses)].filter(Boolean).join(' · ');
    return { id: String(term.tid), label: term.name, detail };
  });
  return [...found, ...newTerms(field, words.trim(), model, mayCreate)];
}

function newTerms(
  field: Field,
  name: string,
  model: ContentModel,
  mayCreate: (vocabulary: string) => boolean,
): Option[] {
  if (name === '') return [];
  return (field.target_bundles ?? [])
    .filter((vocabulary) => takesNewTerms(field, vocabulary) && mayCreate(vocabulary))
    .map((vocabulary) => ({
      id: `new:${vocabulary}:${name}`,
      label: t.fields.newTerm(name, model.vocabularies[vocabulary]?.label ?? vocabulary),
      act: true,
    }));
}

/** Vocabularies that the program itself acts upon get no terms in passing. */
function takesNewTerms(field: Field, vocabulary: string): boolean {
  return field.auto_create === true || (field.cardinality !== 1 && !vocabulary.startsWith('islandora_'));
}

/** The id behind a chosen option; makes the term first when the option says so. */
export async function targetOf(option: Option): Promise<number> {
  const match = /^new:([^:]+):(.*)$/s.exec(option.id);
  if (!match) return Number(option.id);
  const [, vocabulary = '', name = ''] = match;
  const make = () => createEntity('taxonomy_term', vocabulary, { name: [{ value: name }] });
  const body = await makeOne('taxonomy_term', async () => (await make()).body);
  const tid = idOf('taxonomy_term', body);
  remember('taxonomy_term', tid, name, vocabulary, null, null);
  return tid;
}

function remember(
  target_type: string,
  target_id: number,
  label: string,
  bundle: string,
  uri: string | null,
  picture_url: string | null,
): void {
  const known: Label = { target_type, target_id, label, bundle, uri, picture_url };
  learn(known);
}
