import { listUsers } from '../../api/accounts';
import { ApiError } from '../../api/errors';
import { listItems, listMediaAt, listTerms, readItem } from '../../api/read';
import type { Item, ItemQuery } from '../../api/types';
import { edtfInWords } from '../../fields/edtf_words';
import { MODEL } from '../../media_types/kind';
import { modelTerm } from '../../media_types/registry';
import type { IconName } from '../../parts/icons';
import { modelIcon } from '../../parts/model_icon';
import { navigation } from '../../place/navigation.svelte';
import { mayAdministerUsers } from '../../place/permission';
import { repository } from '../../place/repository.svelte';
import { deskAt } from '../../place/route';
import { t } from '../../texts';
import { exactly, type Exact } from './address';

export type Kind = 'items' | 'collections' | 'terms' | 'people' | 'go' | 'do';

/** One line of the palette. */
export interface Entry {
  id: string;
  kind: Kind;
  label: string;
  icon: IconName;
  detail?: string;
  picture?: string;
  /** How the keyboard does it without the palette. */
  keys?: readonly string[];
  run: () => void;
}

/** Lines of each kind, so that all of them can be seen at once. */
const SHOWN = 6;

/** What the repository has under these words: by name, in the description, by number or by address. */
export async function findEntries(words: string, signal: AbortSignal): Promise<Entry[]> {
  if (words.trim() === '') return [];
  const exact = exactly(words);
  const found = await Promise.all([
    exact ? findExactly(exact) : [],
    // An address is no word that stands in a description.
    exact && !('nid' in exact) ? [] : findWords(words, signal),
  ]);
  const seen = new Set<string>();
  return found.flat().filter(({ id }) => !seen.has(id) && seen.add(id));
}

async function findWords(words: string, signal: AbortSignal): Promise<Entry[]> {
  const query: ItemQuery = { view: 'all', q: words, sort: 'title', order: 'asc' };
  const collection = modelTerm(repository.model, MODEL.collection)?.tid;
  const [items, collections, terms, people] = await Promise.all([
    listItems(query, null, SHOWN * 2, signal),
    listItems({ ...query, model: collection }, null, SHOWN, signal),
    listTerms([], words, SHOWN, null, signal),
    mayAdministerUsers() ? listUsers(words, null, signal) : { users: [] },
  ]);
  return [
    ...items.items
      .filter((item) => !item.is_collection)
      .slice(0, SHOWN)
      .map(itemEntry),
    ...collections.items.map(itemEntry),
    ...terms.terms.map((term): Entry => {
      const vocabulary = repository.model.vocabularies[term.vocabulary]?.label ?? term.vocabulary;
      return {
        id: `term/${term.tid}`,
        kind: 'terms',
        label: term.name,
        icon: 'tag',
        detail: `${vocabulary}, ${t.count.uses(term.uses)}`,
        run: () => navigation.go({ screen: 'term', tid: term.tid, erase: false }),
      };
    }),
    ...people.users.slice(0, SHOWN).map(({ uid, name, roles }): Entry => ({
      id: `user/${uid}`,
      kind: 'people',
      label: name,
      icon: 'person',
      detail: roles.map(({ label }) => label).join(', '),
      run: () => navigation.go({ screen: 'person', uid, disable: false }),
    })),
  ];
}

function itemEntry(item: Item): Entry {
  const date = item.date ? (edtfInWords(item.date) ?? item.date) : null;
  return {
    id: `node/${item.nid}`,
    kind: item.is_collection ? 'collections' : 'items',
    label: item.title,
    icon: modelIcon(item.model),
    detail: item.is_collection ? t.count.items(item.members) : (date ?? item.model?.name ?? undefined),
    picture: item.picture?.url,
    run: () => openItem(item),
  };
}

function openItem(item: Pick<Item, 'nid' | 'is_collection'>): void {
  if (item.is_collection) navigation.openPlace({ collection: item.nid });
  else navigation.go(deskAt(null, item.nid));
}

/** The one thing that is named; none where it is not there or may not be seen. */
async function findExactly(exact: Exact): Promise<Entry[]> {
  if ('nid' in exact) return numbered(exact.nid);
  if ('file' in exact) return holding(exact.file);
  const { route } = exact;
  return [
    {
      id: 'address',
      kind: 'go',
      label: t.palette.thisAddress,
      icon: 'link',
      run: () => navigation.go(route),
    },
  ];
}

async function numbered(nid: number): Promise<Entry[]> {
  try {
    return [{ ...itemEntry(await readItem(nid)), detail: t.palette.number(nid) }];
  } catch (error) {
    if (error instanceof ApiError && (error.status === 404 || error.status === 403)) return [];
    throw error;
  }
}

async function holding(address: string): Promise<Entry[]> {
  const { media } = await listMediaAt(address);
  return media.map(({ mid, name, node }): Entry => {
    const route = node ? deskAt(null, node.nid, 'files') : ({ screen: 'media', mid, erase: false } as const);
    return {
      id: node ? `node/${node.nid}` : `media/${mid}`,
      kind: 'items',
      label: node?.title ?? name,
      icon: 'copy',
      detail: t.palette.holds(name),
      run: () => navigation.go(route),
    };
  });
}
