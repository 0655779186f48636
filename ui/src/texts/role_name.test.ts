import { expect, it } from 'vitest';
import roles from '../../../assets/roles.json';
import { de } from './de';
import { en } from './en';
import { roleName } from './role_name';

it('every role that the program brings has a German name', () =>
  expect(Object.keys(de.people.shippedRoles)).toEqual(roles.map(({ label }) => label)));

it('a role that people have named keeps its name', () =>
  expect(['Editor', 'Map room', 'constructor'].map((label) => roleName({ label }))).toEqual([
    en.people.shippedRoles.Editor,
    'Map room',
    'constructor',
  ]));
