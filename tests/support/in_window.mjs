/** A request that the page of the window makes with the window's key; status and JSON of the answer. */
export const ask = (page, method, path, body = null) =>
  page.script(
    async (method, path, body) => {
      const { base_url, key } = await window.__TAURI_INTERNALS__.invoke('connection');
      const headers = { Authorization: `Window ${key}`, 'Content-Type': 'application/json' };
      const answer = await fetch(base_url + path, {
        method,
        headers,
        body: body === null ? undefined : JSON.stringify(body),
      });
      return { status: answer.status, body: await answer.json() };
    },
    method,
    path,
    body,
  );

/** Makes a collection as a person does in an empty repository. */
export async function makeCollection(page, title) {
  await page.click('button', 'New collection');
  await page.fill('Title', title);
  await page.click('button', 'Create collection');
  await page.control('treeitem', title);
}
