import { listItems } from '../api/read';

const LONGEST_PAGE = 200;

/** Direct members of an item, all of them. */
export async function membersOf(nid: number): Promise<number[]> {
  const members: number[] = [];
  let after: string | null = null;
  do {
    const query = { view: 'all', collection: nid, sort: 'nid', order: 'asc' } as const;
    const page: Awaited<ReturnType<typeof listItems>> = await listItems(query, after, LONGEST_PAGE);
    members.push(...page.items.map((item) => item.nid));
    after = page.next ?? null;
  } while (after !== null);
  return members;
}

/** A collection with everything in it, the innermost last; what is in two places comes once. */
export async function withEverythingIn(nid: number, told: (found: number) => void): Promise<number[]> {
  const found = new Set([nid]);
  for (const one of found) {
    for (const member of await membersOf(one)) found.add(member);
    told(found.size);
  }
  return [...found];
}
