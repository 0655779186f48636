import { requestResource, setCsrfToken } from './client';
import { readSession } from './read';
import type { Session } from './types';

/** Reads the session and stores the CSRF token for later requests. */
export async function loadSession(): Promise<Session> {
  const session = await readSession();
  setCsrfToken(session.csrf_token);
  return session;
}

/** What somebody signs in with. */
export interface LogIn {
  name: string;
  pass: string;
  /** Whether the session outlasts the browser. */
  keep: boolean;
  /** Of the second factor, where the account has one. */
  code?: string;
}

/** Signs in; the browser stores the session cookie, until it is closed or, with `keep`, beyond. */
export async function signIn(login: LogIn): Promise<Session> {
  await requestResource('POST', '/user/login?_format=json', { body: login });
  return loadSession();
}

export async function signOut(logoutToken: string): Promise<void> {
  await requestResource('POST', `/user/logout?_format=json&token=${encodeURIComponent(logoutToken)}`);
  setCsrfToken(null);
}
