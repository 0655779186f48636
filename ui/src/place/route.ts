import type { View } from '../api/types';

/** Where the items pane stands: one of the views, or a collection. */
export type Place = { view: View } | { collection: number };
export type Tab = 'metadata' | 'files' | 'history' | 'api';

/** What an address of the UI opens. */
export type Route =
  | {
      screen: 'desk';
      /** Null when only an item is named: its own collection is then the place. */
      place: Place | null;
      item: number | null;
      tab: Tab;
      /** Items about which the delete question is open. */
      erase: number[];
      /** The viewer is open on the item, at this page. */
      viewer: number | null;
      /** The create form is open; a number is the collection that the item goes into. */
      create: number | null;
    }
  | { screen: 'media'; mid: number; erase: boolean }
  | { screen: 'media-list'; erase: number[] }
  | { screen: 'erase-file'; fid: number }
  | { screen: 'add-media'; mediaType: string | null }
  | { screen: 'term'; tid: number; erase: boolean }
  | { screen: 'new-term'; like: number | null; vocabulary: string | null }
  | { screen: 'vocabularies'; vocabulary: string | null }
  | { screen: 'profile'; uid: number }
  | { screen: 'people' }
  | { screen: 'new-person' }
  /** The form of an account; `disable` asks the question whether to. */
  | { screen: 'person'; uid: number; disable: boolean }
  | { screen: 'server' }
  /** Watched folders, one of them shown; `form` opens its rule, or a new one where none is named. */
  | { screen: 'watched'; folder: number | null; form: boolean }
  | { screen: 'activity' }
  | { screen: 'health' }
  | { screen: 'trash' }
  | { screen: 'sign-in' }
  | { screen: 'not-found' };

export type DeskRoute = Extract<Route, { screen: 'desk' }>;

const VIEWS: View[] = ['all', 'unfiled', 'unpublished', 'without_original', 'recent'];

export function deskAt(place: Place | null, item: number | null = null, tab: Tab = 'metadata'): DeskRoute {
  return { screen: 'desk', place, item, tab, erase: [], viewer: null, create: null };
}

/** Reads an address of the UI: its path and its query. */
export function parseRoute(path: string, search: string): Route {
  const query = new URLSearchParams(search);
  const parts = path.split('/').filter((part) => part !== '');
  const [first, second, third] = parts;
  if (first === undefined && query.get('view') === 'trash') return { screen: 'trash' };
  if (first === undefined) return deskAt(placeIn(query) ?? { view: 'all' });
  if (first === 'node') return nodeRoute(second, third, query);
  if (first === 'media') return mediaRoute(second, third, query);
  if (first === 'taxonomy' && second === 'term') return termRoute(third, parts[3], query);
  if (first === 'user') return userRoute(second, third);
  if (first === 'file') return fileRoute(second, third);
  if (path === '/admin/people') return { screen: query.has('new') ? 'new-person' : 'people' };
  if (path === '/admin/server') return { screen: 'server' };
  if (path === '/admin/activity') return { screen: 'activity' };
  if (path === '/admin/health') return { screen: 'health' };
  if (first === 'admin' && second === 'watched') return watchedRoute(third, query);
  if (path === '/admin/content/media') return { screen: 'media-list', erase: [] };
  if (path === '/admin/content/node/delete') {
    return { ...deskAt({ view: 'all' }), erase: numbersIn(query, 'node') };
  }
  return { screen: 'not-found' };
}

function nodeRoute(id: string | undefined, act: string | undefined, query: URLSearchParams): Route {
  if (id === undefined) {
    const [parent] = numbersIn(query, 'node');
    return { ...deskAt(parent ? { collection: parent } : { view: 'all' }), create: parent ?? 0 };
  }
  const nid = idIn(id);
  if (nid === null) return { screen: 'not-found' };
  const tab = act === 'revisions' ? 'history' : tabIn(query);
  const erase = act === 'delete' ? [nid] : [];
  return { ...deskAt(placeIn(query), nid, tab), erase, viewer: idIn(query.get('page') ?? undefined) };
}

function mediaRoute(id: string | undefined, act: string | undefined, query: URLSearchParams): Route {
  if (id === 'add') return { screen: 'add-media', mediaType: act ?? null };
  if (id === 'delete') return { screen: 'media-list', erase: numbersIn(query, 'media') };
  const mid = idIn(id);
  return mid === null ? { screen: 'not-found' } : { screen: 'media', mid, erase: act === 'delete' };
}

function termRoute(id: string | undefined, act: string | undefined, query: URLSearchParams): Route {
  if (id === undefined) {
    const [like] = numbersIn(query, 'taxonomy_term');
    const vocabulary = query.get('vocabulary');
    if (like !== undefined || query.has('new')) return { screen: 'new-term', like: like ?? null, vocabulary };
    return { screen: 'vocabularies', vocabulary };
  }
  const tid = idIn(id);
  return tid === null ? { screen: 'not-found' } : { screen: 'term', tid, erase: act === 'delete' };
}

function userRoute(id: string | undefined, act: string | undefined): Route {
  if (id === 'login') return { screen: 'sign-in' };
  const uid = idIn(id);
  if (uid === null) return { screen: 'not-found' };
  if (act === 'edit' || act === 'cancel') return { screen: 'person', uid, disable: act === 'cancel' };
  return { screen: 'profile', uid };
}

/** A stored file has no page of its own, only the question whether to delete it. */
function fileRoute(id: string | undefined, act: string | undefined): Route {
  const fid = idIn(id);
  return fid !== null && act === 'delete' ? { screen: 'erase-file', fid } : { screen: 'not-found' };
}

function watchedRoute(id: string | undefined, query: URLSearchParams): Route {
  if (id === undefined) return { screen: 'watched', folder: null, form: query.has('new') };
  const folder = idIn(id);
  return folder === null ? { screen: 'not-found' } : { screen: 'watched', folder, form: query.has('edit') };
}

function placeIn(query: URLSearchParams): Place | null {
  const collection = idIn(query.get('collection') ?? undefined);
  if (collection !== null) return { collection };
  const view = VIEWS.find((name) => name === query.get('view'));
  return view ? { view } : null;
}

function tabIn(query: URLSearchParams): Tab {
  const tab = query.get('tab');
  return tab === 'files' || tab === 'api' || tab === 'history' ? tab : 'metadata';
}

function numbersIn(query: URLSearchParams, name: string): number[] {
  return query
    .getAll(name)
    .flatMap((value) => value.split(','))
    .map((value) => idIn(value))
    .filter((id) => id !== null);
}

function idIn(text: string | undefined): number | null {
  return text !== undefined && /^[1-9]\d{0,15}$/.test(text) ? Number(text) : null;
}

/** The address that opens a route. */
export function addressOf(route: Route): string {
  switch (route.screen) {
    case 'desk':
      return deskAddress(route);
    case 'media':
      return `/media/${route.mid}${route.erase ? '/delete' : ''}`;
    case 'media-list':
      return route.erase.length > 0 ? `/media/delete?media=${route.erase.join(',')}` : '/admin/content/media';
    case 'erase-file':
      return `/file/${route.fid}/delete`;
    case 'add-media':
      return route.mediaType ? `/media/add/${route.mediaType}` : '/media/add';
    case 'term':
      return `/taxonomy/term/${route.tid}${route.erase ? '/delete' : ''}`;
    case 'new-term':
      return newTermAddress(route.like, route.vocabulary);
    case 'vocabularies':
      return route.vocabulary ? `/taxonomy/term?vocabulary=${route.vocabulary}` : '/taxonomy/term';
    case 'profile':
      return `/user/${route.uid}`;
    case 'people':
      return '/admin/people';
    case 'new-person':
      return '/admin/people?new';
    case 'person':
      return `/user/${route.uid}/${route.disable ? 'cancel' : 'edit'}`;
    case 'server':
      return '/admin/server';
    case 'activity':
      return '/admin/activity';
    case 'health':
      return '/admin/health';
    case 'watched':
      return watchedAddress(route.folder, route.form);
    case 'trash':
      return '/?view=trash';
    case 'sign-in':
      return '/user/login';
    case 'not-found':
      return '/';
  }
}

function watchedAddress(folder: number | null, form: boolean): string {
  if (folder === null) return form ? '/admin/watched?new' : '/admin/watched';
  return `/admin/watched/${folder}${form ? '?edit' : ''}`;
}

function newTermAddress(like: number | null, vocabulary: string | null): string {
  if (like !== null) return `/taxonomy/term?taxonomy_term=${like}`;
  return vocabulary ? `/taxonomy/term?new&vocabulary=${vocabulary}` : '/taxonomy/term?new';
}

function deskAddress({ place, item, tab, viewer }: DeskRoute): string {
  const query = new URLSearchParams();
  if (place && 'collection' in place) query.set('collection', String(place.collection));
  else if (place && place.view !== 'all') query.set('view', place.view);
  if (item !== null && place && 'view' in place && place.view === 'all') query.set('view', 'all');
  if (item !== null && (tab === 'files' || tab === 'api')) query.set('tab', tab);
  if (item !== null && viewer !== null) query.set('page', String(viewer));
  const path = item === null ? '/' : tab === 'history' ? `/node/${item}/revisions` : `/node/${item}`;
  const search = query.toString();
  return search ? `${path}?${search}` : path;
}

export function samePlace(a: Place | null, b: Place | null): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
