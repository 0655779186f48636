import { Remembered } from '../../parts/remember.svelte';

/** The sample collection that was made from here; null when there is none. */
export const sample = new Remembered<number | null>('sample', null);
