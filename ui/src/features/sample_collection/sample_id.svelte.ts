import { LocalSetting } from '../../state/local_setting.svelte';

/** Id of the sample collection created in this browser; null: none. */
export const sampleId = new LocalSetting<number | null>('sample', null);
