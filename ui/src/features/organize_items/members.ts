import { listItems } from '../../api/read';

const MAX_PAGE_SIZE = 200;

/** All direct members of an item. */
export async function membersOf(nid: number): Promise<number[]> {
  const members: number[] = [];
  let after: string | null = null;
  do {
    const query = { view: 'all', collection: nid, sort: 'nid', order: 'asc' } as const;
    const page: Awaited<ReturnType<typeof listItems>> = await listItems(query, after, MAX_PAGE_SIZE);
    members.push(...page.items.map((item) => item.nid));
    after = page.next ?? null;
  } while (after !== null);
  return members;
}

/** A collection and its descendants, each once, the innermost last. */
export async function withDescendants(nid: number, onProgress: (found: number) => void): Promise<number[]> {
  const found = new Set([nid]);
  for (const one of found) {
    for (const member of await membersOf(one)) found.add(member);
    onProgress(found.size);
  }
  return [...found];
}
