import { expect, it } from 'vitest';
import { accessBy } from './sign_in_access';

const method = (method: 'GET' | 'POST' | 'PUT', kinds: string) => ({
  method,
  cookie: kinds.includes('cookie'),
  basic: kinds.includes('basic'),
  bearer: kinds.includes('bearer'),
});

it('tells what several kinds of credentials open together', () => {
  const methods = [method('GET', 'basic bearer'), method('POST', 'cookie'), method('PUT', 'cookie basic')];
  expect(accessBy(methods, ['cookie', 'basic'])).toBe('all');
  expect(accessBy(methods, ['basic'])).toBe('some');
  expect(accessBy(methods, ['bearer'])).toBe('reads');
  expect(accessBy([method('GET', ''), method('PUT', 'basic')], ['cookie'])).toBe('none');
});
