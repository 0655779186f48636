import { parseRoute, type Route } from '../../state/route';

/** A resource that the typed text names exactly. */
export type ExactMatch = { nid: number } | { route: Route } | { file: string };

const FILE_PATH = /^\/(sites\/default\/files|_flysystem)\//;

/** Parses an item id, an address of the repository or the URI of a file; null for search terms. */
export function parseExactMatch(typed: string): ExactMatch | null {
  const text = typed.trim();
  if (/^#?[1-9]\d{0,15}$/.test(text)) return { nid: Number(text.replace('#', '')) };
  if (/^[a-z][a-z0-9+.-]*:\/\/./i.test(text) && !/^https?:/i.test(text)) return { file: text };
  const url = parseUrl(text);
  if (!url) return null;
  if (FILE_PATH.test(url.pathname)) return { file: url.pathname };
  const route = parseRoute(url.pathname, url.search);
  if (route.screen === 'browse' && route.item !== null) return { nid: route.item };
  return url.pathname === '/' || route.screen === 'not-found' ? null : { route };
}

function parseUrl(text: string): URL | null {
  if (!/^(https?:\/\/|\/)/i.test(text)) return null;
  try {
    return new URL(text, 'http://localhost');
  } catch {
    return null;
  }
}
