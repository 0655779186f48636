import { fileURLToPath } from 'node:url';
import { start } from './process.mjs';
import { until } from './wait.mjs';

const SHELL = fileURLToPath(new URL('./desktop-shell.py', import.meta.url));

/** A session bus of this test's own, with a desktop on it that has a tray and shows notices. */
export async function openShell(t) {
  const daemon = start('dbus-daemon', ['--session', '--nofork', '--print-address']);
  t.after(() => daemon.stop());
  await until('the session bus is there', () => daemon.printed.includes('\n'));
  const address = daemon.printed.split('\n')[0];
  const shell = start('/usr/bin/python3', [SHELL], {
    env: { DBUS_SESSION_BUS_ADDRESS: address },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  t.after(() => shell.stop());
  const lines = () => shell.printed.split('\n').slice(0, -1);
  await until('the desktop is there', () => lines().includes('ready'));
  const answers = () => lines().filter((line) => /^["{]/.test(line));
  return {
    address,
    /** All that it was asked to tell. */
    notices: () => lines().flatMap((line) => (line.startsWith('notice ') ? [line.slice(7)] : [])),
    has: (words) => until(`the desktop shows ${words}`, () => lines().some((line) => line.startsWith(words))),
    async deed(words) {
      const before = answers().length;
      shell.child.stdin.write(`${words}\n`);
      await until(`the desktop has done: ${words}`, () => answers().length > before);
      return JSON.parse(answers()[before]);
    },
  };
}
