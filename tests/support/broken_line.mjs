import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/**
 * A line to a server on this machine that breaks once, after so many bytes towards the server, for
 * every connection that is open then. Answers its own port and whether it has broken.
 */
export async function brokenLine(t, port, bytes) {
  const open = new Set();
  const line = { port: 0, broken: false };
  let sent = 0;
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on('close', () => open.delete(socket));
      socket.on('error', () => {});
    }
    far.on('close', () => near.destroy());
    near.on('close', () => far.destroy());
    far.pipe(near);
    near.on('data', (data) => {
      sent += data.length;
      if (!line.broken && sent > bytes) {
        line.broken = true;
        for (const socket of open) socket.destroy();
      } else if (!far.write(data)) {
        near.pause();
        far.once('drain', () => near.resume());
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  line.port = server.address().port;
  return line;
}
