import { listPeopleIn } from '../../api/accounts';
import type { PersonInCollection } from '../../api/types';
import { t } from '../../texts';
import { roleName } from '../../texts/role_name';
import type { Move } from './membership';

/** Who gets rights to an item by a move, and who loses them; people with their roles. */
export interface MoveEffects {
  gains: string[];
  loses: string[];
}

/** What a move of an item changes for people with roles in collections. The others may do what they could before. */
export async function moveEffects(nid: number, { to, keep }: Move): Promise<MoveEffects> {
  const before = await listPeopleIn(nid);
  const there = to === null ? [] : await listPeopleIn(to);
  const stays = before.filter(({ collection }) => keep || collection?.nid === nid);
  return { gains: named(there, before), loses: named(before, [...there, ...stays]) };
}

/** Those of some people who are not among others. */
function named(people: PersonInCollection[], others: PersonInCollection[]): string[] {
  const known = new Set(others.map(keyOf));
  const rest = people.filter((person) => !known.has(keyOf(person)));
  return [...new Set(rest.map(({ user, role }) => `${user?.name ?? t.move.somebody} (${roleName(role)})`))];
}

const keyOf = ({ user, role }: PersonInCollection) => `${user?.uid ?? 0} ${role.name}`;
