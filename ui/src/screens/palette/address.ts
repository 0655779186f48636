import { parseRoute, type Route } from '../../place/route';

/** What the words typed into the palette name exactly. */
export type Exact = { nid: number } | { route: Route } | { file: string };

const FILES = /^\/(sites\/default\/files|_flysystem)\//;

/** A number, an address of the repository, or that of a file; null for words to search for. */
export function exactly(typed: string): Exact | null {
  const text = typed.trim();
  if (/^#?[1-9]\d{0,15}$/.test(text)) return { nid: Number(text.replace('#', '')) };
  if (/^[a-z][a-z0-9+.-]*:\/\/./i.test(text) && !/^https?:/i.test(text)) return { file: text };
  const url = urlOf(text);
  if (!url) return null;
  if (FILES.test(url.pathname)) return { file: url.pathname };
  const route = parseRoute(url.pathname, url.search);
  if (route.screen === 'desk' && route.item !== null) return { nid: route.item };
  return url.pathname === '/' || route.screen === 'not-found' ? null : { route };
}

function urlOf(text: string): URL | null {
  if (!/^(https?:\/\/|\/)/i.test(text)) return null;
  try {
    return new URL(text, 'http://localhost');
  } catch {
    return null;
  }
}
