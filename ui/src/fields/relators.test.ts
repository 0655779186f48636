import { expect, it } from 'vitest';
import { relatorOptions } from './relators';

it('roles are sorted by label, not by code', () => {
  const relators = {
    'relators:cpc': 'Copyright claimant',
    'relators:cpl': 'Complainant',
    'relators:ill': 'Éditeur',
  };
  expect(relatorOptions({ relators }).map(({ label }) => label)).toEqual([
    'Complainant',
    'Copyright claimant',
    'Éditeur',
  ]);
});
