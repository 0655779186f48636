import { once } from 'node:events';
import { start } from './process.mjs';
import { until } from './wait.mjs';

/** A screen of its own with a window manager, so that a real window can be clicked and dropped on. */
export async function openDisplay() {
  // Without -noreset, a program that ends before the next one has come takes that one's connection with it.
  const options = ['-displayfd', '3', '-screen', '0', '1440x900x24', '-nolisten', 'tcp', '-noreset'];
  const server = start('Xvfb', options, { stdio: ['ignore', 'pipe', 'pipe', 'pipe'] });
  const [number] = await once(server.child.stdio[3], 'data');
  const name = `:${String(number).trim()}`;
  const manager = start('openbox', [], { env: { DISPLAY: name } });
  await until('the window manager is there', () => isManaged(name));
  return {
    name,
    async close() {
      await manager.stop();
      await server.stop();
    },
  };
}

async function isManaged(name) {
  const asked = start('xdotool', ['get_desktop'], { env: { DISPLAY: name } });
  const [code] = await asked.ended;
  return code === 0;
}
