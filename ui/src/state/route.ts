import {
  parseId,
  parseSearchAddress,
  searchAddress,
  UNNARROWED,
  type ListScope,
  type ListSearch,
} from './search_address';

export type { ListScope };
export type InspectorTab = 'metadata' | 'files' | 'history' | 'api';

/** A page of an item that the viewer compares with another. */
export interface ComparedPage {
  item: number;
  page: number;
}

/** A parsed address of the UI. */
export type Route =
  | {
      screen: 'browse';
      /** Null when the address names only an item: its own collection is then listed. */
      scope: ListScope | null;
      item: number | null;
      tab: InspectorTab;
      /** Whether everything below the collection is listed; null: only while searching. */
      below: boolean | null;
      /** What narrows the list. */
      search: ListSearch;
      /** The saved search that was opened; null: none. */
      saved: number | null;
      /** Items in the open delete dialog. */
      erase: number[];
      /** The page that the viewer displays; null: the viewer is closed. */
      viewer: number | null;
      /** What the viewer displays beside it; null: nothing. */
      compared: ComparedPage | null;
      /** Whether the viewer marks the words of the search. */
      marks: boolean;
      /** The collection that the create dialog is for, 0 for none; null: it is closed. */
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
  | { screen: 'roles' }
  /** `like`: the role whose permissions it has at first. */
  | { screen: 'new-role'; like: string | null }
  | { screen: 'role'; name: string; erase: boolean }
  | { screen: 'new-person' }
  /** An account; `disable` opens the dialog that disables it. */
  | { screen: 'person'; uid: number; disable: boolean }
  | { screen: 'server' }
  /** Watched folders; `form` opens the rule of `folder`, or a new rule. */
  | { screen: 'watched'; folder: number | null; form: boolean }
  /** Changes; with a collection, those in it and below it. */
  | { screen: 'activity'; collection?: number }
  | { screen: 'health' }
  /** What a collection holds; null: the whole repository. */
  | { screen: 'report'; collection: number | null }
  /** The content model, at a bundle: `node.islandora_object`; null: the first one. */
  | { screen: 'content-model'; bundle: string | null }
  | { screen: 'trash' }
  | { screen: 'sign-in' }
  /** Opens a share link, whose key stands behind `#`. */
  | { screen: 'share' }
  | { screen: 'not-found' };

export type BrowseRoute = Extract<Route, { screen: 'browse' }>;

export function browseRoute(
  scope: ListScope | null,
  item: number | null = null,
  tab: InspectorTab = 'metadata',
): BrowseRoute {
  return {
    screen: 'browse',
    scope,
    item,
    tab,
    below: null,
    search: UNNARROWED,
    saved: null,
    erase: [],
    viewer: null,
    compared: null,
    marks: true,
    create: null,
  };
}

/** The list that an address names, at an item of it. */
function listRoute(query: URLSearchParams, item: number | null, tab: InspectorTab = 'metadata'): BrowseRoute {
  const { scope, below, ...search } = parseSearchAddress(query);
  return { ...browseRoute(scope, item, tab), below, search, saved: parseId(query.get('saved')) };
}

/** Parses the path and the query of an address. */
export function parseRoute(path: string, search: string): Route {
  const query = new URLSearchParams(search);
  const parts = path.split('/').filter((part) => part !== '');
  const [first, second, third] = parts;
  if (first === undefined && query.get('view') === 'trash') return { screen: 'trash' };
  if (first === undefined) {
    const route = listRoute(query, null);
    return { ...route, scope: route.scope ?? { view: 'all' } };
  }
  if (first === 'node') return nodeRoute(second, third, query);
  if (first === 'media') return mediaRoute(second, third, query);
  if (first === 'taxonomy' && second === 'term') return termRoute(third, parts[3], query);
  if (first === 'user') return userRoute(second, third);
  if (first === 'file') return fileRoute(second, third);
  if (path === '/share') return { screen: 'share' };
  if (path === '/admin/people') return { screen: query.has('new') ? 'new-person' : 'people' };
  if (first === 'admin' && second === 'roles') return roleRoute(third, query);
  if (path === '/admin/server') return { screen: 'server' };
  if (path === '/admin/activity')
    return { screen: 'activity', collection: parseId(query.get('collection')) ?? undefined };
  if (path === '/admin/health') return { screen: 'health' };
  if (path === '/admin/report') return { screen: 'report', collection: parseId(query.get('collection')) };
  if (path === '/admin/content-model') return { screen: 'content-model', bundle: query.get('bundle') };
  if (first === 'admin' && second === 'watched') return watchedRoute(third, query);
  if (path === '/admin/content/media') return { screen: 'media-list', erase: [] };
  if (path === '/admin/content/node/delete') {
    return { ...browseRoute({ view: 'all' }), erase: parseNumbers(query, 'node') };
  }
  return { screen: 'not-found' };
}

function roleRoute(name: string | undefined, query: URLSearchParams): Route {
  if (name !== undefined)
    return { screen: 'role', name: decodeURIComponent(name), erase: query.has('delete') };
  return query.has('new') ? { screen: 'new-role', like: query.get('new') || null } : { screen: 'roles' };
}

function nodeRoute(id: string | undefined, act: string | undefined, query: URLSearchParams): Route {
  if (id === undefined) {
    const [parent] = parseNumbers(query, 'node');
    return { ...browseRoute(parent ? { collection: parent } : { view: 'all' }), create: parent ?? 0 };
  }
  const nid = parseId(id);
  if (nid === null) return { screen: 'not-found' };
  const tab = act === 'revisions' ? 'history' : parseTab(query);
  const erase = act === 'delete' ? [nid] : [];
  const viewer = parseId(query.get('page'));
  const marks = query.get('marks') !== 'false';
  return { ...listRoute(query, nid, tab), erase, viewer, compared: parseCompared(query), marks };
}

/** `with=12.3`: page 3 of item 12. */
function parseCompared(query: URLSearchParams): ComparedPage | null {
  const [item, page] = (query.get('with') ?? '').split('.').map((number) => parseId(number));
  return item ? { item, page: page ?? 1 } : null;
}

function mediaRoute(id: string | undefined, act: string | undefined, query: URLSearchParams): Route {
  if (id === 'add') return { screen: 'add-media', mediaType: act ?? null };
  if (id === 'delete') return { screen: 'media-list', erase: parseNumbers(query, 'media') };
  const mid = parseId(id);
  return mid === null ? { screen: 'not-found' } : { screen: 'media', mid, erase: act === 'delete' };
}

function termRoute(id: string | undefined, act: string | undefined, query: URLSearchParams): Route {
  if (id === undefined) {
    const [like] = parseNumbers(query, 'taxonomy_term');
    const vocabulary = query.get('vocabulary');
    if (like !== undefined || query.has('new')) return { screen: 'new-term', like: like ?? null, vocabulary };
    return { screen: 'vocabularies', vocabulary };
  }
  const tid = parseId(id);
  return tid === null ? { screen: 'not-found' } : { screen: 'term', tid, erase: act === 'delete' };
}

function userRoute(id: string | undefined, act: string | undefined): Route {
  if (id === 'login') return { screen: 'sign-in' };
  const uid = parseId(id);
  if (uid === null) return { screen: 'not-found' };
  if (act === 'edit' || act === 'cancel') return { screen: 'person', uid, disable: act === 'cancel' };
  return { screen: 'profile', uid };
}

/** A file has no page, only a delete dialog. */
function fileRoute(id: string | undefined, act: string | undefined): Route {
  const fid = parseId(id);
  return fid !== null && act === 'delete' ? { screen: 'erase-file', fid } : { screen: 'not-found' };
}

function watchedRoute(id: string | undefined, query: URLSearchParams): Route {
  if (id === undefined) return { screen: 'watched', folder: null, form: query.has('new') };
  const folder = parseId(id);
  return folder === null ? { screen: 'not-found' } : { screen: 'watched', folder, form: query.has('edit') };
}

function parseTab(query: URLSearchParams): InspectorTab {
  const tab = query.get('tab');
  return tab === 'files' || tab === 'api' || tab === 'history' ? tab : 'metadata';
}

function parseNumbers(query: URLSearchParams, name: string): number[] {
  return query
    .getAll(name)
    .flatMap((value) => value.split(','))
    .map((value) => parseId(value))
    .filter((id) => id !== null);
}

/** Whether it is the page of an item or collection, which visitors without an account read, too. */
export function isPublicPage(route: Route): boolean {
  return (
    route.screen === 'browse' && route.item !== null && route.tab !== 'history' && route.erase.length === 0
  );
}

/** The address of a route. */
export function addressOf(route: Route): string {
  switch (route.screen) {
    case 'browse':
      return browseAddress(route);
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
    case 'roles':
      return '/admin/roles';
    case 'new-role':
      return `/admin/roles?new${route.like ? `=${encodeURIComponent(route.like)}` : ''}`;
    case 'role':
      return `/admin/roles/${encodeURIComponent(route.name)}${route.erase ? '?delete' : ''}`;
    case 'new-person':
      return '/admin/people?new';
    case 'person':
      return `/user/${route.uid}/${route.disable ? 'cancel' : 'edit'}`;
    case 'server':
      return '/admin/server';
    case 'activity':
      return `/admin/activity${route.collection ? `?collection=${route.collection}` : ''}`;
    case 'health':
      return '/admin/health';
    case 'report':
      return `/admin/report${route.collection ? `?collection=${route.collection}` : ''}`;
    case 'content-model':
      return `/admin/content-model${route.bundle ? `?bundle=${route.bundle}` : ''}`;
    case 'watched':
      return watchedAddress(route.folder, route.form);
    case 'trash':
      return '/?view=trash';
    case 'share':
      return '/share';
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

function browseAddress(route: BrowseRoute): string {
  const { scope, item, tab, viewer, compared, marks, below, search, saved } = route;
  const query = searchAddress({ ...search, scope, below });
  if (item !== null && scope && 'view' in scope && scope.view === 'all') query.set('view', 'all');
  if (saved !== null) query.set('saved', String(saved));
  if (item !== null && (tab === 'files' || tab === 'api')) query.set('tab', tab);
  if (item !== null && viewer !== null) query.set('page', String(viewer));
  if (item !== null && viewer !== null && compared) query.set('with', `${compared.item}.${compared.page}`);
  if (item !== null && viewer !== null && !marks) query.set('marks', 'false');
  const path = item === null ? '/' : tab === 'history' ? `/node/${item}/revisions` : `/node/${item}`;
  const words = query.toString();
  return words ? `${path}?${words}` : path;
}

export function sameScope(a: ListScope | null, b: ListScope | null): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
