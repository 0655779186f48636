import { resource, useCsrfToken } from './client';
import { readSession } from './read';
import type { Session } from './types';

/** Who is signed in; keeps the CSRF token for the requests that follow. */
export async function loadSession(): Promise<Session> {
  const session = await readSession();
  useCsrfToken(session.csrf_token);
  return session;
}

/** Signs in with a name and a password; the session cookie stays in the browser. */
export async function signIn(name: string, pass: string): Promise<Session> {
  await resource('POST', '/user/login?_format=json', { body: { name, pass } });
  return loadSession();
}

export async function signOut(logoutToken: string): Promise<void> {
  await resource('POST', `/user/logout?_format=json&token=${encodeURIComponent(logoutToken)}`);
  useCsrfToken(null);
}
