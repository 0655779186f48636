import { requestResource, setCsrfToken } from './client';
import { readSession } from './read';
import type { Session } from './types';

/** Reads the session and stores the CSRF token for later requests. */
export async function loadSession(): Promise<Session> {
  const session = await readSession();
  setCsrfToken(session.csrf_token);
  return session;
}

/** Signs in; the browser stores the session cookie, until it is closed or, with `keep`, beyond. */
export async function signIn(name: string, pass: string, keep: boolean): Promise<Session> {
  await requestResource('POST', '/user/login?_format=json', { body: { name, pass, keep } });
  return loadSession();
}

export async function signOut(logoutToken: string): Promise<void> {
  await requestResource('POST', `/user/logout?_format=json&token=${encodeURIComponent(logoutToken)}`);
  setCsrfToken(null);
}
