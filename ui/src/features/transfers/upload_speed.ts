/** Estimates how long uploads take, from the speed of earlier ones in this browser. */
import { LocalSetting } from '../../state/local_setting.svelte';

/** Seconds that a file costs beside its bytes. */
const PER_FILE = 0.08;
/** Fewer bytes say nothing about the speed of many. */
const TELLING_SIZE = 20e6;

/** Bytes per second. */
const speed = new LocalSetting('upload-speed', 40e6);

/** Stores the speed of a running upload, in bytes per second; `sent` are the bytes that it is measured by. */
export function rememberSpeed(rate: number, sent: number): void {
  if (rate > 0 && sent >= TELLING_SIZE) speed.value = Math.round(rate);
}

export function estimateSeconds(size: number, files: number): number {
  return files * PER_FILE + size / speed.value;
}
