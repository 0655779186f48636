import { onScreen } from './mouse.mjs';
import { freePort, start } from './process.mjs';
import { until } from './wait.mjs';

/** W3C WebDriver, Elements: the key under which an element's id travels. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';

/** Starts `program` under WebKit's own driver on a display. `env` reaches the program. */
export async function openWindow(program, { display, env, args = [] }) {
  const port = await freePort();
  const driver = start('WebKitWebDriver', [`--port=${port}`], {
    env: { ...env, DISPLAY: display, TAURI_WEBVIEW_AUTOMATION: 'true' },
  });
  const base = `http://127.0.0.1:${port}`;
  await until('the driver answers', async () => (await call(base, 'GET', '/status')).ready);
  const alwaysMatch = { 'webkitgtk:browserOptions': { binary: program, args } };
  const session = await call(base, 'POST', '/session', { capabilities: { alwaysMatch } });
  return new Page(`${base}/session/${session.sessionId}`, driver, display);
}

async function call(base, method, path, body) {
  const response = await fetch(base + path, { method, body: body && JSON.stringify(body) });
  const { value } = await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${value.error}: ${value.message}`);
  return value;
}

/** The page in the window. Elements are found by CSS selector, and waited for. */
class Page {
  constructor(url, driver, display) {
    Object.assign(this, { url, driver, display });
  }

  async find(selector, from = '') {
    const found = await until(`${selector} is there`, () =>
      call(this.url, 'POST', `${from}/element`, { using: 'css selector', value: selector }),
    );
    return found[ELEMENT];
  }

  async click(selector) {
    await until(`${selector} can be clicked`, async () => {
      await call(this.url, 'POST', `/element/${await this.find(selector)}/click`, {});
      return true;
    });
  }

  /** Replaces what stands in a text field. */
  async fill(selector, text) {
    const element = await this.find(selector);
    await call(this.url, 'POST', `/element/${element}/clear`, {});
    await call(this.url, 'POST', `/element/${element}/value`, { text });
  }

  /** Types into whatever has the focus, or into one element. */
  async press(text, selector = ':focus') {
    await call(this.url, 'POST', `/element/${await this.find(selector)}/value`, { text });
  }

  /** Runs a function in the page; a promise is waited for. */
  script(work, ...args) {
    return call(this.url, 'POST', '/execute/sync', { script: `return (${work})(...arguments)`, args });
  }

  text() {
    return this.script(() => document.body.innerText);
  }

  async waitForText(text) {
    await until(`the page says "${text}"`, async () => (await this.text()).includes(text));
  }

  async screenshot() {
    return Buffer.from(await call(this.url, 'GET', '/screenshot'), 'base64');
  }

  /** The point of the screen at the middle of an element, for the real mouse. */
  async pointOf(selector) {
    await this.find(selector);
    const { x, y } = await this.script((wanted) => {
      const box = document.querySelector(wanted).getBoundingClientRect();
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    }, selector);
    return onScreen(this.display, { x: Math.round(x), y: Math.round(y) });
  }

  async close() {
    await call(this.url, 'DELETE', '').finally(() => this.driver.stop());
  }
}
