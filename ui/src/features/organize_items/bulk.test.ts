import { expect, it } from 'vitest';
import { ApiError } from '../../api/errors';
import { runBulk, retryOnConflict } from './bulk';

it('one that fails does not stop the others, and is told of in its own words', async () => {
  const told: number[] = [];
  const { done, failures } = await runBulk(
    Array.from({ length: 40 }, (_, n) => n),
    async (n) => {
      if (n % 10 === 3) throw new Error(`no ${n}`);
      return n;
    },
    { onstep: (n) => told.push(n) },
  );
  expect(done.length).toBe(36);
  expect(failures.sort()).toEqual(['no 13', 'no 23', 'no 3', 'no 33']);
  expect(told).toEqual(Array.from({ length: 40 }, (_, n) => n + 1));
});

it('a change is made upon the newer state when somebody else was quicker, not for ever', async () => {
  let tries = 0;
  const lost = async () => {
    tries += 1;
    throw new ApiError('precondition_failed', 'It was changed meanwhile.');
  };
  await expect(retryOnConflict(lost)).rejects.toThrow('It was changed meanwhile.');
  expect(tries).toBe(5);
  const third = async () => (tries++ < 7 ? lost() : 'made');
  expect(await retryOnConflict(third)).toBe('made');
});
