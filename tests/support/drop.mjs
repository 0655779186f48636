/** Files and folders of this disk that are dragged over a page with the mouse, until they are dropped. */
export async function carryFiles(page, paths) {
  const data = { items: [], files: paths, dragOperationsMask: 1 };
  const devtools = await page.context().newCDPSession(page);
  let at = null;
  const send = (type) => devtools.send('Input.dispatchDragEvent', { type, ...at, data });
  // The first one that enters an element is not told to the page; a person's drag goes on.
  async function goOn() {
    for (let times = 0; times < 2; times += 1) await send('dragOver');
  }
  return {
    /** Moves to a point; with `alt`, that key is held. */
    async over({ x, y }, { alt = false } = {}) {
      const first = at === null;
      at = { x, y, modifiers: alt ? 1 : 0 };
      if (first) await send('dragEnter');
      await goOn();
    },
    async drop() {
      await goOn();
      await send('drop');
      await devtools.detach();
    },
  };
}

export async function centreOf(element) {
  const { x, y, width, height } = await element.boundingBox();
  return { x: x + width / 2, y: y + height / 2 };
}

/** Drags files and folders of this disk onto an element of a page, and lets go there. `alt` aims at an item. */
export async function dropFiles(page, onto, paths, { alt = false } = {}) {
  const carried = await carryFiles(page, paths);
  await carried.over(await centreOf(onto), { alt });
  await carried.drop();
}
