import { setTimeout as pause } from 'node:timers/promises';

/** Milliseconds in which what is waited for comes, on a busy machine too. */
export const LIMIT = 90_000;
const STEP = 100;

/** Asks again until `question` answers something truthy, and returns that. Says `what` when it never does. */
export async function until(what, question) {
  const end = Date.now() + LIMIT;
  let last;
  do {
    try {
      const answer = await question();
      if (answer) return answer;
      last = undefined;
    } catch (error) {
      last = error;
    }
    await pause(STEP);
  } while (Date.now() < end);
  throw new Error(`waited in vain until ${what}`, { cause: last });
}

/** Whether `question` answers something truthy before `limit` milliseconds have passed. */
export async function within(limit, question) {
  const end = Date.now() + limit;
  do {
    if (await question()) return true;
    await pause(STEP);
  } while (Date.now() < end);
  return false;
}
