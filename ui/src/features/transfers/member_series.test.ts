import { expect, it } from 'vitest';
import type { Item } from '../../api/types';
import { MemberSeries } from './member_series';

const last = (weight: number | null) => () => Promise.resolve({ weight } as Item);
const weight = (given?: number) => Promise.resolve(given);

it('continues after the weights that are there, and those that were just given', async () => {
  const series = new MemberSeries(40, last(7));
  expect(await Promise.all([series.add(1, 1, weight), series.add(1, 0, weight)])).toEqual([9, 8]);
  expect(await new MemberSeries(2, last(7)).add(1, 0, weight)).toBe(48);
  expect(await new MemberSeries(2, () => Promise.resolve(null)).add(2, 1, weight)).toBe(2);
});

it('creates one after the other where the members before have no weight', async () => {
  const series = new MemberSeries(2, last(null));
  const log: string[] = [];
  const create = (name: string, fails: boolean) => async (given?: number) => {
    log.push(`${name} ${given}`);
    await Promise.resolve();
    log.push(`${name} ends`);
    if (fails) throw new Error('refused');
  };
  const both = [series.add(3, 0, create('first', true)), series.add(3, 1, create('second', false))];
  await Promise.allSettled(both);
  expect(log).toEqual(['first undefined', 'first ends', 'second undefined', 'second ends']);
});

it('gives no weight outside of collections', async () => {
  expect(await new MemberSeries(2, last(7)).add(null, 0, weight)).toBeUndefined();
});
