import { describe, expect, it } from 'vitest';
import {
  pushChange,
  removeChange,
  stepsInOrder,
  moveChange,
  EMPTY_STACK,
  parseStack,
  type UndoChange,
  type UndoStack,
  type Step,
} from './undo_stack';

const deleted = (...ids: number[]): UndoChange => ({
  steps: ids.map((id) => ({ act: 'delete', kind: 'node', id, title: `Item ${id}` })),
});

const last = (changes: UndoChange[]): UndoChange => changes.at(-1) ?? { steps: [] };
const tookBack = (done: UndoStack) => moveChange(done, 'undo', last(done.past));
const didAgain = (done: UndoStack) => moveChange(done, 'redo', last(done.future));

describe('what was done', () => {
  const [one, two, three] = [deleted(1), deleted(2), deleted(3)];
  const both = pushChange(pushChange(EMPTY_STACK, one), two);

  it('is taken back from the latest on, and done again in the order in which it was done', () => {
    const back = tookBack(tookBack(both));
    expect(back).toEqual({ past: [], future: [two, one] });
    expect(tookBack(back)).toEqual(back);
    expect(didAgain(back)).toEqual({ past: [one], future: [two] });
    expect(didAgain(didAgain(didAgain(back)))).toEqual(both);
  });

  it('ends what could be done again', () => {
    expect(pushChange(tookBack(both), three)).toEqual({ past: [one, three], future: [] });
    expect(pushChange(tookBack(both), { steps: [] })).toEqual(tookBack(both));
  });

  it('is kept up to a number', () => {
    let done = EMPTY_STACK;
    for (let id = 1; id <= 1000; id += 1) done = pushChange(done, deleted(id));
    expect(done.past.length).toBe(200);
    expect(done.past.at(-1)).toEqual(deleted(1000));
  });

  it('is divided where only some of it went back', () => {
    const many = pushChange(EMPTY_STACK, deleted(1, 2, 3));
    const [, second] = deleted(1, 2, 3).steps;
    const part = moveChange(many, 'undo', last(many.past), second ? [second] : []);
    expect(part).toEqual({ past: [deleted(1, 3)], future: [deleted(2)] });
    expect(tookBack(part)).toEqual({ past: [], future: [deleted(2), deleted(1, 3)] });
    expect(moveChange(many, 'undo', last(many.past), [])).toEqual(many);
  });

  it('is found where something else was done while it was taken back', () => {
    expect(moveChange(pushChange(both, three), 'undo', two)).toEqual({ past: [one, three], future: [two] });
    expect(removeChange(pushChange(both, three), 'undo', two)).toEqual({ past: [one, three], future: [] });
  });

  it('goes on as it was found when it came back', () => {
    const back: Step = { act: 'delete', kind: 'node', id: 2, title: 'Item 2', back: 7 };
    expect(moveChange(both, 'undo', two, [back])).toEqual({ past: [one], future: [{ steps: [back] }] });
  });

  it('is no longer offered when it cannot be taken back', () => {
    expect(removeChange(both, 'undo', two)).toEqual({ past: [one], future: [] });
    expect(removeChange(tookBack(both), 'redo', two)).toEqual({ past: [one], future: [] });
  });
});

it('steps are taken back in the opposite order', () => {
  const change = deleted(1, 2, 3);
  expect(stepsInOrder(change, 'undo').map(({ id }) => id)).toEqual([3, 2, 1]);
  expect(stepsInOrder(change, 'redo').map(({ id }) => id)).toEqual([1, 2, 3]);
});

it.each([null, '', '{', '[]', '{"past": 1, "future": []}'])('%s holds nothing', (text) =>
  expect(parseStack(text)).toEqual(EMPTY_STACK),
);
