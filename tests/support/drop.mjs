/** Drags files and folders of this disk onto an element of a page, and lets go there. */
export async function dropFiles(page, onto, paths) {
  const { x, y, width, height } = await onto.boundingBox();
  const where = { x: x + width / 2, y: y + height / 2 };
  const data = { items: [], files: paths, dragOperationsMask: 1 };
  const devtools = await page.context().newCDPSession(page);
  for (const type of ['dragEnter', 'dragOver', 'drop']) {
    await devtools.send('Input.dispatchDragEvent', { type, ...where, data });
  }
  await devtools.detach();
}
