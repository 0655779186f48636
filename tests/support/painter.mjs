import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from './wait.mjs';

/**
 * Installs a program for pictures, texts and folders in a home directory: it writes down what it is asked to open.
 * `opened(n)` waits for the n-th path.
 */
export async function installPainter(home) {
  const program = join(home, 'painter');
  const asked = join(home, 'painter-opened');
  await writeFile(program, `#!/bin/sh\nprintf '%s\\n' "$1" >> '${asked}'\n`);
  await chmod(program, 0o755);
  const applications = join(home, '.local', 'share', 'applications');
  await mkdir(applications, { recursive: true });
  await mkdir(join(home, '.config'), { recursive: true });
  const entry = ['[Desktop Entry]', 'Type=Application', 'Name=Painter', `Exec=${program} %f`];
  await writeFile(join(applications, 'painter.desktop'), `${entry.join('\n')}\n`);
  const types = ['image/jpeg', 'text/plain', 'inode/directory'].map((type) => `${type}=painter.desktop`);
  await writeFile(join(home, '.config', 'mimeapps.list'), `[Default Applications]\n${types.join('\n')}\n`);
  return {
    opened: (count) =>
      until(`the painter has been asked ${count} times`, async () => {
        const lines = (await readFile(asked, 'utf8')).split('\n').filter(Boolean);
        return lines.length >= count && lines[count - 1];
      }),
  };
}
