import { listUsers } from '../../api/accounts';
import { hasCode } from '../../api/errors';
import { countBelow, listItems, findMediaByAddress, listTerms, readItem } from '../../api/read';
import type { Item, ItemQuery } from '../../api/types';
import { describeEdtf } from '../../fields/edtf_text';
import { modelTerm } from '../../media_display/file_kinds';
import type { IconName } from '../../components/icons';
import { modelIcon } from '../../components/model_icon';
import { navigation } from '../../state/navigation.svelte';
import { mayAdministerUsers } from '../../state/permissions';
import { repository } from '../../state/repository.svelte';
import { browseRoute } from '../../state/route';
import { t } from '../../texts';
import { roleName } from '../../texts/role_name';
import { shippedLabel } from '../../texts/shipped_labels';
import { parseExactMatch, type ExactMatch } from './exact_match';

export type EntryKind = 'items' | 'collections' | 'terms' | 'people' | 'go' | 'do';

/** An entry of the palette. */
export interface PaletteEntry {
  id: string;
  kind: EntryKind;
  label: string;
  icon: IconName;
  detail?: string;
  /** Other words that it is found by. */
  synonyms?: string;
  picture?: string;
  /** The keyboard shortcut. */
  keys?: readonly string[];
  run: () => void;
}

/** Maximum number of entries per kind. */
const MAX_PER_KIND = 6;

/** Searches by text, id and address. */
export async function findEntries(words: string, signal: AbortSignal): Promise<PaletteEntry[]> {
  if (words.trim() === '') return [];
  const exact = parseExactMatch(words);
  const found = await Promise.all([
    exact ? findExactMatch(exact) : [],
    // An address is not searched as a text.
    exact && !('nid' in exact) ? [] : findByText(words, signal),
  ]);
  const seen = new Set<string>();
  return found.flat().filter(({ id }) => !seen.has(id) && seen.add(id));
}

async function findByText(words: string, signal: AbortSignal): Promise<PaletteEntry[]> {
  const query: ItemQuery = { view: 'all', q: words, sort: 'title', order: 'asc' };
  const collection = modelTerm(repository.model, 'collection')?.tid;
  const [items, collections, terms, people] = await Promise.all([
    listItems(query, null, MAX_PER_KIND * 2, signal),
    listItems(
      { ...query, chosen: collection ? [`model:${collection}`] : undefined },
      null,
      MAX_PER_KIND,
      signal,
    ),
    listTerms([], words, MAX_PER_KIND, null, signal),
    mayAdministerUsers() ? listUsers(words, null, signal) : { users: [] },
  ]);
  const counts = await countBelow(
    collections.items.map(({ nid }) => nid),
    signal,
  );
  const below = new Map(counts.map(({ nid, items }) => [nid, items]));
  return [
    ...items.items
      .filter((item) => !item.is_collection)
      .slice(0, MAX_PER_KIND)
      .map((item) => itemEntry(item)),
    ...collections.items.map((item) => itemEntry(item, below.get(item.nid))),
    ...terms.terms.map((term): PaletteEntry => {
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
    ...people.users.slice(0, MAX_PER_KIND).map(({ uid, name, roles }): PaletteEntry => ({
      id: `user/${uid}`,
      kind: 'people',
      label: name,
      icon: 'person',
      detail: roles.map(roleName).join(', '),
      run: () => navigation.go({ screen: 'person', uid, disable: false }),
    })),
  ];
}

function itemEntry(item: Item, below = item.members): PaletteEntry {
  const date = item.date ? (describeEdtf(item.date) ?? item.date) : null;
  return {
    id: `node/${item.nid}`,
    kind: item.is_collection ? 'collections' : 'items',
    label: item.title,
    icon: modelIcon(item.model),
    detail: item.is_collection
      ? t.count.items(below)
      : (date ?? shippedLabel(item.model?.name ?? '')) || undefined,
    picture: item.picture?.url,
    run: () => openEntryItem(item),
  };
}

function openEntryItem(item: Pick<Item, 'nid' | 'is_collection'>): void {
  if (item.is_collection) navigation.openScope({ collection: item.nid });
  else navigation.go(browseRoute(null, item.nid));
}

/** The resource that is named exactly; none where it does not exist for this user. */
async function findExactMatch(exact: ExactMatch): Promise<PaletteEntry[]> {
  if ('nid' in exact) return findByNumber(exact.nid);
  if ('file' in exact) return findByFile(exact.file);
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

async function findByNumber(nid: number): Promise<PaletteEntry[]> {
  try {
    return [{ ...itemEntry(await readItem(nid)), detail: t.palette.number(nid) }];
  } catch (error) {
    if (hasCode(error, 'not_found', 'forbidden')) return [];
    throw error;
  }
}

async function findByFile(address: string): Promise<PaletteEntry[]> {
  const { media } = await findMediaByAddress(address);
  return media.map(({ mid, name, node }): PaletteEntry => {
    const route = node
      ? browseRoute(null, node.nid, 'files')
      : ({ screen: 'media', mid, erase: false } as const);
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
