import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { compressedFiles } from './compressed_files.ts';
import { pdfResources } from './pdf_resources.ts';

const server = process.env.ISOLARIO_SERVER ?? 'http://127.0.0.1:8460';

export default defineConfig({
  plugins: [svelte(), pdfResources(), compressedFiles('dist-gzip')],
  base: '/',
  build: {
    target: ['chrome123', 'safari18', 'firefox121'],
    // Inlined fonts and images would need `data:` in the content security policy.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
  },
  server: {
    proxy: {
      '^/(api|sites|_flysystem|jwt|session|entity|openapi.json)(/|\\?|$)': { target: server },
      '^/(node|media|taxonomy|user|admin)(/|\\?|$)': {
        target: server,
        bypass: (request) => (request.headers.accept?.includes('text/html') ? '/index.html' : undefined),
      },
    },
  },
  // One process for all files, as no test leaves anything behind: a process for each costs more than the tests.
  test: {
    include: ['src/**/*.test.ts'],
    environment: 'node',
    pool: 'threads',
    isolate: false,
    testTimeout: 30_000,
  },
});
