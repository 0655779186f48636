import type { View } from '../../api/types';
import type { IconName } from '../../components/icons';
import { navigation } from '../../state/navigation.svelte';
import { mayAdministerRoles, mayAdministerServer, mayAdministerUsers } from '../../state/permissions';
import { repository } from '../../state/repository.svelte';
import type { Route } from '../../state/route';
import { t } from '../../texts';

/** A page or a view that a command opens. */
export interface Destination {
  id: string;
  /** The same in all languages. */
  name: View | Route['screen'];
  label: string;
  icon: IconName;
  run: () => void;
}

/** Every page and view that the user may open. */
export function destinations(): Destination[] {
  const views: [View, IconName][] = [
    ['all', 'all'],
    ['unfiled', 'inbox'],
    ['unpublished', 'hidden'],
    ['without_original', 'noOriginal'],
    ['recent', 'clock'],
    ['waiting', 'person'],
  ];
  const permitted = repository.user
    ? views
    : views.filter(([view]) => ['all', 'unfiled', 'recent'].includes(view));
  return [
    ...permitted.map(([name, icon]) =>
      view(name, t.places[name], icon, () => navigation.openScope({ view: name })),
    ),
    ...(mayAdministerServer()
      ? [page(t.watched.title, 'watched', { screen: 'watched', folder: null, form: false })]
      : []),
    ...(repository.user ? [page(t.places.trash, 'trash', { screen: 'trash' })] : []),
    page(t.places.files, 'copy', { screen: 'media-list', erase: [] }),
    page(t.places.vocabularies, 'tag', { screen: 'vocabularies', vocabulary: null }),
    ...(mayAdministerServer()
      ? [page(t.contentModel.title, 'form', { screen: 'content-model', bundle: null })]
      : []),
    ...(mayAdministerUsers() ? [page(t.people.title, 'people', { screen: 'people' })] : []),
    ...(mayAdministerRoles() ? [page(t.roles.title, 'lock', { screen: 'roles' })] : []),
    ...(repository.user ? [page(t.report.title, 'chart', { screen: 'report', collection: null })] : []),
    ...(repository.user ? [page(t.activity.title, 'activity', { screen: 'activity' })] : []),
    ...(mayAdministerServer() ? [page(t.health.title, 'health', { screen: 'health' })] : []),
    ...(mayAdministerServer() ? [page(t.server.title, 'server', { screen: 'server' })] : []),
    ...(repository.user
      ? [page(t.session.profile, 'person', { screen: 'profile', uid: repository.user.uid })]
      : [page(t.session.signIn, 'lock', { screen: 'sign-in' })]),
  ];
}

function page(label: string, icon: IconName, route: Route): Destination {
  return view(route.screen, label, icon, () => navigation.go(route));
}

function view(name: Destination['name'], label: string, icon: IconName, run: () => void): Destination {
  return { id: `go/${label}`, name, label, icon, run };
}
