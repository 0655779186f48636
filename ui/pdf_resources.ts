import { readdirSync, readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

const FROM = new URL('./node_modules/pdfjs-dist/', import.meta.url);
const { version } = JSON.parse(readFileSync(new URL('package.json', FROM), 'utf8')) as { version: string };
/** Decoders in WebAssembly are left out: the content security policy lets no page make code of bytes. */
const NEEDED = { cmaps: /\.bcmap$/, standard_fonts: /\.(pfb|ttf)$/, wasm: /_nowasm_fallback\.js$/ };

/** Puts what the reader of PDFs asks for by name beside the page, under a name that changes with its version. */
export function pdfResources(): Plugin {
  return {
    name: 'pdf-resources',
    config: (_, { command }) => ({
      define: {
        'import.meta.env.PDF_RESOURCES': JSON.stringify(
          command === 'build' ? `/assets/pdfjs-${version}/` : '/node_modules/pdfjs-dist/',
        ),
      },
    }),
    generateBundle() {
      for (const [directory, pattern] of Object.entries(NEEDED)) {
        const from = new URL(`${directory}/`, FROM);
        for (const name of readdirSync(from).filter((name) => pattern.test(name))) {
          const source = readFileSync(new URL(name, from));
          this.emitFile({ type: 'asset', fileName: `assets/pdfjs-${version}/${directory}/${name}`, source });
        }
      }
    },
  };
}
