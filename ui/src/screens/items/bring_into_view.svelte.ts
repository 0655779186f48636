import { tick } from 'svelte';
import { navigation } from '../../place/navigation.svelte';
import type { Rows } from '../../place/rows';

/**
 * Brings the item that the address names into view, once, as soon as the list holds it. To be called
 * while a list is set up; `rows` is null as long as the list has no size.
 */
export function bringIntoView(rows: () => Rows | null, scrollTo: (index: number) => void): void {
  let brought: number | null = null;
  $effect(() => {
    const { item } = navigation.desk;
    if (item === brought) return;
    const index = item === null ? -1 : (rows()?.indexOf(item) ?? -1);
    if (item !== null && index < 0) return;
    brought = item;
    if (item === null) return;
    void tick().then(() => scrollTo(index));
  });
}
