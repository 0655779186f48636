import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Starts a program and keeps what it prints. `stop` asks it to end and waits until it has. */
export function start(command, args, { env = {}, stdio = ['ignore', 'pipe', 'pipe'] } = {}) {
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio });
  const printed = { text: '' };
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => (printed.text += data));
  const ended = once(child, 'exit').catch((error) => [error]);
  return {
    child,
    ended,
    get printed() {
      return printed.text;
    },
    async stop(signal = 'SIGTERM') {
      child.kill(signal);
      const [code] = await ended;
      return code;
    },
  };
}

/** A port of this machine that nobody listens on. */
export async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}
