import { t } from '.';
import type { Colleague } from '../api/types';
import { list } from './format';

/** Colleagues by name, as in a sentence; oneself comes last. */
export function colleagueNames(colleagues: Colleague[]): string {
  const ordered = [...colleagues].sort((one, other) => Number(one.is_self) - Number(other.is_self));
  const names = ordered.map(({ user, is_self }) => {
    if (is_self) return t.presence.self;
    return user?.name ?? t.presence.somebody;
  });
  return list(names, 'conjunction');
}
