import { describe, expect, it } from 'vitest';
import { addressOf, browseRoute, parseRoute, type Route } from './route';
import { UNNARROWED } from './search_address';

function at(address: string): Route {
  const url = new URL(address, 'http://localhost');
  return parseRoute(url.pathname, url.search);
}

describe('every address that the server’s links name opens something', () => {
  it.each<[string, Partial<Route>]>([
    ['/', { screen: 'browse', scope: { view: 'all' } }],
    ['/node/5', { screen: 'browse', item: 5, tab: 'metadata', scope: null }],
    ['/node/5/edit', { screen: 'browse', item: 5, tab: 'metadata' }],
    ['/node/5/delete', { screen: 'browse', item: 5, erase: [5] }],
    ['/node/5/revisions', { screen: 'browse', item: 5, tab: 'history' }],
    ['/node?node=5', { screen: 'browse', create: 5, scope: { collection: 5 } }],
    ['/admin/content/node/delete?node=5', { screen: 'browse', erase: [5] }],
    ['/media/7', { screen: 'media', mid: 7, erase: false }],
    ['/media/7/edit', { screen: 'media', mid: 7 }],
    ['/media/7/delete', { screen: 'media', mid: 7, erase: true }],
    ['/media/delete?media=7', { screen: 'media-list', erase: [7] }],
    ['/media/add', { screen: 'add-media', mediaType: null }],
    ['/media/add/image', { screen: 'add-media', mediaType: 'image' }],
    ['/admin/content/media', { screen: 'media-list', erase: [] }],
    ['/file/4/delete', { screen: 'erase-file', fid: 4 }],
    ['/user/1/cancel', { screen: 'person', uid: 1, disable: true }],
    ['/admin/people', { screen: 'people' }],
    ['/admin/roles', { screen: 'roles' }],
    ['/admin/roles?new', { screen: 'new-role', like: null }],
    ['/admin/roles?new=editor', { screen: 'new-role', like: 'editor' }],
    ['/admin/roles/reading%20room', { screen: 'role', name: 'reading room', erase: false }],
    ['/admin/roles/editor?delete', { screen: 'role', name: 'editor', erase: true }],
    ['/admin/server', { screen: 'server' }],
    ['/admin/activity', { screen: 'activity' }],
    ['/admin/activity?collection=7', { screen: 'activity', collection: 7 }],
    ['/admin/health', { screen: 'health' }],
    ['/admin/report', { screen: 'report', collection: null }],
    ['/admin/report?collection=7', { screen: 'report', collection: 7 }],
    ['/admin/watched', { screen: 'watched', folder: null, form: false }],
    ['/taxonomy/term/9', { screen: 'term', tid: 9, erase: false }],
    ['/taxonomy/term/9/edit', { screen: 'term', tid: 9 }],
    ['/taxonomy/term/9/delete', { screen: 'term', tid: 9, erase: true }],
    ['/taxonomy/term?taxonomy_term=9', { screen: 'new-term', like: 9 }],
    ['/user/1', { screen: 'profile', uid: 1 }],
    ['/user/1/edit', { screen: 'person', uid: 1, disable: false }],
    ['/user/login', { screen: 'sign-in' }],
  ])('%s', (address, route) => expect(at(address)).toMatchObject(route));
});

describe('what is not an address', () => {
  it.each([
    '/node/abc',
    '/node/0',
    '/media/1.5',
    '/nope',
    '/user/x',
    '/taxonomy/term/-1',
    '/admin/watched/x',
  ])('%s', (address) => expect(at(address)).toEqual({ screen: 'not-found' }));
});

describe('addressOf', () => {
  it.each<Route>([
    browseRoute({ view: 'all' }),
    browseRoute({ view: 'unfiled' }),
    browseRoute({ collection: 12 }),
    browseRoute({ collection: 12 }, 5),
    browseRoute({ view: 'all' }, 5, 'files'),
    browseRoute({ collection: 12 }, 5, 'history'),
    browseRoute({ collection: 12 }, 5, 'api'),
    { ...browseRoute({ collection: 12 }, 5), viewer: 9 },
    { ...browseRoute({ collection: 12 }, 5), viewer: 9, marks: false },
    { ...browseRoute({ collection: 12 }), below: true },
    { ...browseRoute({ collection: 12 }, 5), search: { ...UNNARROWED, q: 'map', date: '1571' } },
    { ...browseRoute({ collection: 12 }, 5), below: false },
    { screen: 'media', mid: 7, erase: false },
    { screen: 'media', mid: 7, erase: true },
    { screen: 'media-list', erase: [] },
    { screen: 'erase-file', fid: 4 },
    { screen: 'media-list', erase: [7, 8] },
    { screen: 'add-media', mediaType: 'image' },
    { screen: 'term', tid: 9, erase: true },
    { screen: 'new-term', like: 9, vocabulary: null },
    { screen: 'new-term', like: null, vocabulary: 'subject' },
    { screen: 'vocabularies', vocabulary: 'subject' },
    { screen: 'profile', uid: 1 },
    { screen: 'people' },
    { screen: 'roles' },
    { screen: 'new-role', like: null },
    { screen: 'new-role', like: 'a b' },
    { screen: 'role', name: 'a/b c', erase: false },
    { screen: 'role', name: 'editor', erase: true },
    { screen: 'content-model', bundle: null },
    { screen: 'content-model', bundle: 'node.islandora_object' },
    { screen: 'watched', folder: null, form: true },
    { screen: 'watched', folder: 3, form: false },
    { screen: 'watched', folder: 3, form: true },
    { screen: 'new-person' },
    { screen: 'person', uid: 2, disable: false },
    { screen: 'person', uid: 2, disable: true },
  ])('opens the same route again: %j', (route) => expect(at(addressOf(route))).toEqual(route));
});
