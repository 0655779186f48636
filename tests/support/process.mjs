import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Starts a program and keeps what it prints. `stop` asks it to end and waits until it has. */
export function start(command, args, { env = {}, stdio = ['ignore', 'pipe', 'pipe'] } = {}) {
  const child = spawn(command, args, {
    env: { ...process.env, ...env },
    stdio,
  });
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

/** Runs a program to its end and returns what it printed; fails when the program does. */
export async function run(command, args, { env = {}, input = '' } = {}) {
  const program = start(command, args, {
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // A program that ends without reading its input is no failure.
  program.child.stdin.on('error', () => {});
  program.child.stdin.end(input);
  const [code] = await once(program.child, 'close');
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}: ${program.printed}`);
  return program.printed;
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
