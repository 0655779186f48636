import { fileURLToPath } from 'node:url';
import { start } from './process.mjs';
import { until } from './wait.mjs';

const PROGRAM = fileURLToPath(new URL('./other-window.py', import.meta.url));

/** Another window comes to the front of a display, and is looked at until the test `t` has ended. */
export async function lookElsewhere(t, display) {
  const other = start('/usr/bin/python3', [PROGRAM], { env: { DISPLAY: display } });
  t.after(() => other.stop());
  await until('another window is looked at', () => other.printed.includes('looked at'));
}
