import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeFolder, removeFolder } from './program.mjs';
import { start } from './process.mjs';
import { until } from './wait.mjs';

/** The program under test: it starts quicker than the one with a window. */
const PROGRAM = fileURLToPath(new URL('../../target/debug/isolario-headless', import.meta.url));

/**
 * Serves a new repository without a window until the test `t` has ended; `config` is its config.toml. Of uploads
 * nothing is made unless `derivatives` says so; then by this program alone: whether others are on this machine changes
 * nothing.
 */
export async function serve(t, config, { derivatives = false } = {}) {
  const folder = await makeFolder();
  const data = join(folder, 'repository');
  if (config !== undefined) {
    await mkdir(data);
    await writeFile(join(data, 'config.toml'), config);
  }
  const program = start(
    PROGRAM,
    ['serve', ...(derivatives ? [] : ['--no-derivatives']), '--data', data, '--listen', '127.0.0.1:0'],
    { env: derivatives ? { PATH: folder } : {} },
  );
  t.after(async () => {
    await program.stop();
    await removeFolder(folder);
  });
  // The program chooses the port: one that was found free could be taken by then.
  const [baseUrl] = await until('the server says where it is', () =>
    /http:\/\/127\.0\.0\.1:\d+(?=\/)/.exec(program.printed),
  );
  await until('the server answers', async () => (await fetch(`${baseUrl}/api/v1/session`)).ok);
  const [, password] = await until('the password was printed', () =>
    /password[^\n]*?[:\s](\S+)\s*$/im.exec(program.printed),
  );
  return { data, baseUrl, password, program };
}
