import { expect, it } from 'vitest';
import { parseExactMatch } from './exact_match';

it.each([
  ['4127', { nid: 4127 }],
  ['#4127', { nid: 4127 }],
  [' https://archive.example/node/5?_format=json ', { nid: 5 }],
  ['/node/5/revisions', { nid: 5 }],
  ['/taxonomy/term/9', { route: { screen: 'term', tid: 9, erase: false } }],
  ['http://10.0.0.2:8460/media/7', { route: { screen: 'media', mid: 7, erase: false } }],
  ['/admin/server', { route: { screen: 'server' } }],
  [
    'https://archive.example/sites/default/files/2026-11/a%20b.jpg',
    { file: '/sites/default/files/2026-11/a%20b.jpg' },
  ],
  ['/_flysystem/fedora/a.tif', { file: '/_flysystem/fedora/a.tif' }],
  ['public://2026-11/a.jpg', { file: 'public://2026-11/a.jpg' }],
  ['0', null],
  ['1571-13', null],
  ['maps of Venice', null],
  ['/nowhere', null],
  ['http://', null],
  ['https://archive.example/', null],
])('%s', (typed, exact) => expect(parseExactMatch(typed)).toEqual(exact));
