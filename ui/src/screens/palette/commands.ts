import { tick } from 'svelte';
import { itemList } from '../../place/item_list.svelte';
import { navigation } from '../../place/navigation.svelte';
import { mayAdministerUsers, mayRunServer } from '../../place/permission';
import { repository } from '../../place/repository.svelte';
import type { Route } from '../../place/route';
import type { View } from '../../api/types';
import type { IconName } from '../../parts/icons';
import { t } from '../../texts';
import { allCommands } from '../commands/commands';
import type { Entry } from './find';

/** Everything that can be gone to or done now, in the order in which it is offered. */
export function commands(typed: string): Entry[] {
  return [...acts(), ...searchEverywhere(typed), ...places()];
}

function searchEverywhere(typed: string): Entry[] {
  const words = typed.trim();
  if (words === '') return [];
  return [
    {
      id: 'do/search',
      kind: 'do',
      label: t.palette.searchFor(words),
      icon: 'search',
      run: () => {
        navigation.openPlace({ view: 'all' });
        // A new place is entered without filters; this one comes after.
        void tick().then(() => (itemList.search = words));
      },
    },
  ];
}

/** What the palette itself is, or means only there where the keyboard is. */
const ELSEWHERE = ['palette', 'pane', 'pane-before'];

function acts(): Entry[] {
  return allCommands()
    .filter(({ id, ready }) => ready && !ELSEWHERE.includes(id))
    .map(({ id, label, icon, keys, run }) => ({ id: `do/${id}`, kind: 'do', label, icon, keys, run }));
}

/** Where one can go. */
export function places(): Entry[] {
  const views: [View, IconName][] = [
    ['all', 'all'],
    ['unfiled', 'inbox'],
    ['unpublished', 'hidden'],
    ['without_original', 'noOriginal'],
    ['recent', 'clock'],
  ];
  const seen = repository.user
    ? views
    : views.filter(([view]) => ['all', 'unfiled', 'recent'].includes(view));
  return [
    ...seen.map(([view, icon]) => go(t.places[view], icon, () => navigation.openPlace({ view }))),
    ...(mayRunServer()
      ? [room(t.watched.title, 'watched', { screen: 'watched', folder: null, form: false })]
      : []),
    ...(repository.user ? [room(t.places.trash, 'trash', { screen: 'trash' })] : []),
    room(t.places.files, 'copy', { screen: 'media-list', erase: [] }),
    room(t.places.vocabularies, 'tag', { screen: 'vocabularies', vocabulary: null }),
    ...(mayAdministerUsers() ? [room(t.people.title, 'people', { screen: 'people' })] : []),
    ...(repository.user ? [room(t.activity.title, 'activity', { screen: 'activity' })] : []),
    ...(mayRunServer() ? [room(t.health.title, 'health', { screen: 'health' })] : []),
    ...(mayRunServer() ? [room(t.server.title, 'server', { screen: 'server' })] : []),
    ...(repository.user
      ? [room(t.session.profile, 'person', { screen: 'profile', uid: repository.user.uid })]
      : [room(t.session.signIn, 'lock', { screen: 'sign-in' })]),
  ];
}

function room(label: string, icon: IconName, route: Route): Entry {
  return go(label, icon, () => navigation.go(route));
}

function go(label: string, icon: IconName, run: () => void): Entry {
  return { id: `go/${label}`, kind: 'go', label, icon, run };
}
