import type { ServerStatus } from '../../api/types';

/** What a method of signing in opens: all requests, some of them, those that only read, or none. */
export type Access = 'all' | 'some' | 'reads' | 'none';

type Methods = ServerStatus['sign_in'];
type Kind = 'cookie' | 'basic' | 'bearer';

/** What is open to somebody who may use each of these kinds of credentials. */
export function accessBy(methods: Methods, kinds: Kind[]): Access {
  const open = methods.filter((method) => kinds.some((kind) => method[kind]));
  if (open.length === methods.length) return 'all';
  if (open.length === 0) return 'none';
  return open.every(({ method }) => method === 'GET') ? 'reads' : 'some';
}
