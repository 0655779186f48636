import { defineConfig, globalIgnores } from 'eslint/config';
import svelte from 'eslint-plugin-svelte';
import tseslint from 'typescript-eslint';
import svelteConfig from './svelte.config.js';

const unused = { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true };

const requests = ['fetch', 'XMLHttpRequest', 'EventSource'].map((name) => ({
  name,
  message: 'src/api sends requests.',
}));

export default defineConfig(
  globalIgnores(['dist', 'dist-gzip', 'src/api/schema.d.ts', 'src/desktop_types.d.ts']),
  tseslint.configs.recommended,
  svelte.configs.recommended,
  {
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      '@typescript-eslint/no-unused-vars': ['error', unused],
      // The compiler's warnings, those on accessibility among them.
      'svelte/valid-compile': 'error',
      // Collections that no component reads are plain ones: reactive ones would cost more.
      'svelte/prefer-svelte-reactivity': 'off',
      // A string in braces keeps the spaces that the compiler would trim.
      'svelte/no-useless-mustaches': 'off',
    },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: {
      parserOptions: { parser: tseslint.parser, extraFileExtensions: ['.svelte'], svelteConfig },
    },
  },
  {
    files: ['**/*.ts', '**/*.svelte'],
    ignores: ['**/*.test.ts', 'src/texts/*.ts'],
    rules: { 'max-lines-per-function': ['error', { max: 60, skipBlankLines: false, skipComments: false }] },
  },
  {
    files: ['src/**'],
    ignores: ['**/*.test.ts', 'src/api/**'],
    rules: { 'no-restricted-globals': ['error', ...requests] },
  },
  {
    files: ['src/**'],
    ignores: ['src/desktop.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: [{ group: ['@tauri-apps/*'], message: 'src/desktop.ts knows the window.' }] },
      ],
    },
  },
);
