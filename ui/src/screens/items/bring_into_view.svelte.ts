import { tick } from 'svelte';
import type { Item } from '../../api/types';
import { navigation } from '../../place/navigation.svelte';

/**
 * Brings the item that the address names into view, once, as soon as the list holds it. To be called
 * while a list is set up; `items` is empty as long as the list has no size.
 */
export function bringIntoView(items: () => Item[], scrollTo: (index: number) => void): void {
  let brought: number | null = null;
  $effect(() => {
    const { item } = navigation.desk;
    if (item === brought) return;
    const index = item === null ? -1 : items().findIndex(({ nid }) => nid === item);
    if (item !== null && index < 0) return;
    brought = item;
    if (item === null) return;
    void tick().then(() => scrollTo(index));
  });
}
