import { until } from './wait.mjs';

/** Holds the answers to such requests, which are older than what happens until they are let go. */
export async function hold(page, pattern, method = 'GET') {
  const held = [];
  let open = false;
  await page.route(pattern, async (route) => {
    if (open || route.request().method() !== method) return route.continue();
    const response = await route.fetch();
    held.push(() => route.fulfill({ response }));
  });
  return {
    begun: () => until('an answer is held', () => held.length > 0),
    async letGo() {
      open = true;
      for (const answer of held.splice(0)) await answer().catch(() => {});
    },
  };
}
