import { t } from '.';
import type { Colleague } from '../api/types';
import { list } from './format';

/** Colleagues by name, as in a sentence. */
export const colleagueNames = (colleagues: Colleague[]): string =>
  list(
    colleagues.map(({ user, is_self }) => (is_self ? t.presence.self : (user?.name ?? t.presence.somebody))),
    'conjunction',
  );
