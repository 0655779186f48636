import { expect, it } from 'vitest';
import type { Permission } from '../../api/types';
import { choose, groupPermissions, unlisted } from './permission_groups';

const page = { id: 'page', label: 'Basic page' };
const item = { id: 'item', label: 'Item' };
const one = (
  name: string,
  template: string,
  bundle: Permission['bundle'],
  area: Permission['area'] = 'content',
): Permission => ({ name, template, bundle, area });

const permissions = [
  one('access content', 'access content', null),
  one('create page content', 'create {bundle} content', page),
  one('create item content', 'create {bundle} content', item),
  one('edit any page content', 'edit any {bundle} content', page),
  one('edit any item content', 'edit any {bundle} content', item),
  one('view media', 'view media', null, 'media'),
];

it('permissions of bundles are columns, the others stand alone', () => {
  const [content, media] = groupPermissions(permissions);
  expect(content?.single.map(({ name }) => name)).toEqual(['access content']);
  expect(content?.rows).toEqual([page, item]);
  expect(content?.columns).toEqual([
    {
      template: 'create {bundle} content',
      names: { page: 'create page content', item: 'create item content' },
    },
    {
      template: 'edit any {bundle} content',
      names: { page: 'edit any page content', item: 'edit any item content' },
    },
  ]);
  expect(media).toEqual({ area: 'media', single: [permissions[5]], columns: [], rows: [] });
});

it('what a role has of another system is kept apart', () =>
  expect(unlisted(['view media', 'rule the world'], permissions)).toEqual(['rule the world']));

it('several are chosen and left out at once, and none twice', () => {
  expect(choose(['a', 'b'], ['b', 'c'], true)).toEqual(['a', 'b', 'c']);
  expect(choose(['a', 'b', 'c'], ['b', 'c'], false)).toEqual(['a']);
});
