import { tick } from 'svelte';
import { chooseTheme, type Theme } from '../../parts/theme.svelte';
import { itemList } from '../../place/item_list.svelte';
import { navigation } from '../../place/navigation.svelte';
import { mayAdministerUsers, mayCreateItem, mayRunServer } from '../../place/permission';
import { repository } from '../../place/repository.svelte';
import type { Route } from '../../place/route';
import { selection } from '../../place/selection.svelte';
import type { View } from '../../api/types';
import type { IconName } from '../../parts/icons';
import { t } from '../../texts';
import { queue } from '../../transfers/queue.svelte';
import { undo } from '../../undo/undo.svelte';
import { dialogs } from '../dialogs.svelte';
import { editChosen, eraseChosen } from '../items/acts';
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

function acts(): Entry[] {
  const { place } = navigation.desk;
  const parent = place && 'collection' in place ? place.collection : null;
  const chosen = navigation.route.screen === 'desk' ? selection.count : 0;
  const themes: Theme[] = ['system', 'light', 'dark'];
  return [
    ...takeBack('undo'),
    ...takeBack('redo'),
    ...(mayCreateItem()
      ? [
          act('item', t.items.addMenu.item, 'image', () => (dialogs.open = { kind: 'item', parent }), [
            'Ctrl',
            'N',
          ]),
          act(
            'collection',
            t.items.addMenu.collection,
            'folder',
            () => (dialogs.open = { kind: 'collection', parent }),
            ['Ctrl', 'Shift', 'N'],
          ),
        ]
      : []),
    ...(chosen > 1 ? [act('batch', t.batch.open(chosen), 'pencil', editChosen, ['Ctrl', 'E'])] : []),
    ...(chosen > 0 ? [act('erase', t.inspector.deleteSeveral(chosen), 'trash', eraseChosen, ['Del'])] : []),
    ...(mayRunServer()
      ? [
          act('watch', t.watched.new, 'watched', () =>
            navigation.go({ screen: 'watched', folder: null, form: true }),
          ),
        ]
      : []),
    act('grid', t.palette.thumbnails, 'all', () => (itemList.view.value = 'grid'), ['Ctrl', '1']),
    act('table', t.palette.table, 'table', () => (itemList.view.value = 'table'), ['Ctrl', '2']),
    act('columns', t.items.chooseColumns, 'table', () => (dialogs.open = { kind: 'columns' })),
    act('transfers', t.palette.transfers, 'upload', () => (queue.open = !queue.open), ['Ctrl', 'J']),
    act('keys', t.session.keys, 'info', () => (dialogs.open = { kind: 'keys' }), ['?']),
    ...themes.map((theme) =>
      act(`theme-${theme}`, t.palette.theme(t.session.themes[theme]), 'eye', () => chooseTheme(theme)),
    ),
  ];
}

function takeBack(direction: 'undo' | 'redo'): Entry[] {
  const what = undo.next(direction);
  if (what === null) return [];
  return direction === 'undo'
    ? [act('undo', t.undo.undoThis(what), 'back', () => void undo.undo(), ['Ctrl', 'Z'])]
    : [act('redo', t.undo.redoThis(what), 'forward', () => void undo.redo(), ['Ctrl', 'Shift', 'Z'])];
}

function act(id: string, label: string, icon: IconName, run: () => void, keys?: string[]): Entry {
  return { id: `do/${id}`, kind: 'do', label, icon, keys, run };
}

function places(): Entry[] {
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
