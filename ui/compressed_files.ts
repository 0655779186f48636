import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

/** Writes all built files compressed (RFC 1952) into a second folder, which the server carries inside it. */
export function compressedFiles(folder: string): Plugin {
  let built = '';
  return {
    name: 'compressed-files',
    apply: 'build',
    configResolved: ({ build }) => void (built = build.outDir),
    closeBundle() {
      rmSync(folder, { recursive: true, force: true });
      for (const entry of readdirSync(built, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile()) continue;
        const path = join(entry.parentPath, entry.name);
        const target = join(folder, path.slice(built.length));
        mkdirSync(dirname(target), { recursive: true });
        writeFileSync(target, gzipSync(readFileSync(path), { level: 9 }));
      }
    },
  };
}
