import { onScreen } from './mouse.mjs';
import { freePort, start } from './process.mjs';
import { until } from './wait.mjs';

/** W3C WebDriver, Elements: the key under which an element's id travels. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';

/** Milliseconds after which the driver is given up. */
const ANSWER = 120_000;
/** Milliseconds in which a window opens, on a busy machine too. The driver never answers when it has lost the program. */
const OPENING = 20_000;
/** W3C WebDriver, Keyboard Actions: pressed until it is named again. */
const CONTROL = '\uE009';

/** Starts `program` under WebKit's own driver on a display. `env` reaches the program. */
export async function openWindow(program, { display, env, args = [] }) {
  const port = await freePort();
  const driver = start('WebKitWebDriver', [`--port=${port}`], {
    env: { ...env, DISPLAY: display, TAURI_WEBVIEW_AUTOMATION: 'true' },
  });
  const base = `http://127.0.0.1:${port}`;
  try {
    await until('the driver answers', async () => (await call(base, 'GET', '/status')).ready);
    const alwaysMatch = { 'webkitgtk:browserOptions': { binary: program, args } };
    const session = await call(base, 'POST', '/session', { capabilities: { alwaysMatch } }, OPENING);
    return new Page(`${base}/session/${session.sessionId}`, driver, display);
  } catch (error) {
    // A driver that is left running would keep the tests from ending.
    await driver.stop('SIGKILL');
    throw error;
  }
}

async function call(base, method, path, body, limit = ANSWER) {
  const response = await fetch(base + path, {
    method,
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(limit),
  });
  const { value } = await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${value.error}: ${value.message}`);
  return value;
}

/** The page in the window. Whatever is looked for is waited for. */
class Page {
  constructor(url, driver, display) {
    Object.assign(this, { url, driver, display });
  }

  async has(role, name) {
    return (await this.script(byRoleAndName, role, name)) !== null;
  }

  /** The visible element with this role whose accessible name is `name`. */
  async control(role, name) {
    const found = await until(`there is a ${role} "${name}"`, () => this.script(byRoleAndName, role, name));
    return found[ELEMENT];
  }

  async click(role, name) {
    await until(`the ${role} "${name}" can be clicked`, async () => {
      await this.act(await this.control(role, name), 'click', {});
      return true;
    });
  }

  /** Replaces what stands in a text field, by the keys that a person would use. */
  async fill(name, text) {
    const field = await this.control('textbox', name);
    await this.act(field, 'value', { text: `${CONTROL}a${CONTROL}${text}` });
  }

  act(element, deed, body) {
    return call(this.url, 'POST', `/element/${element}/${deed}`, body);
  }

  /** Runs a function in the page; a promise is waited for. */
  script(work, ...args) {
    return call(this.url, 'POST', '/execute/sync', {
      script: `return (${work})(...arguments)`,
      args,
    });
  }

  /** Chooses the option with this text in the list with this label. */
  async choose(label, text) {
    const list = { [ELEMENT]: await this.control('combobox', label) };
    await this.script(
      (element, wanted) => {
        const option = [...element.options].find((one) => one.text.trim() === wanted);
        element.value = option.value;
        element.dispatchEvent(new Event('change', { bubbles: true }));
      },
      list,
      text,
    );
  }

  /** Takes the focus away from the field that has it, as a click elsewhere does. */
  leave() {
    return this.script(() => document.activeElement.blur());
  }

  /** Waits until an element shows a picture that has really been painted. */
  async waitForPictureIn(role, name) {
    await until(`"${name}" shows its picture`, async () => {
      const element = { [ELEMENT]: await this.control(role, name) };
      return this.script(
        (box) => [...box.querySelectorAll('img')].some((image) => image.complete && image.naturalWidth > 0),
        element,
      );
    });
  }

  async screenshot() {
    return Buffer.from(await call(this.url, 'GET', '/screenshot'), 'base64');
  }

  /** The point of the screen at the middle of an element, for the real mouse. */
  async pointOf(role, name) {
    return this.pointAt({ [ELEMENT]: await this.control(role, name) });
  }

  /** As `pointOf`, of the first element that a selector of CSS finds. */
  async pointIn(selector) {
    return this.pointAt(
      await until(`there is ${selector}`, () => this.script((css) => document.querySelector(css), selector)),
    );
  }

  async pointAt(element) {
    const { x, y, height } = await this.script((wanted) => {
      const box = wanted.getBoundingClientRect();
      return { x: box.x + box.width / 2, y: box.y + box.height / 2, height: window.innerHeight };
    }, element);
    return onScreen(this.display, { x: Math.round(x), y: Math.round(y), height });
  }

  /** Closes the window as its own button would, and waits until the program has ended. */
  async close() {
    await call(this.url, 'DELETE', '').finally(() => this.driver.stop());
  }
}

/** Runs in the page: the first visible element with a role and an accessible name. */
function byRoleAndName(role, name) {
  const own = {
    button: 'button',
    link: 'a[href]',
    textbox: 'input, textarea',
    combobox: 'select',
    heading: 'h1, h2, h3',
  };
  const selector = [`[role="${role}"]`, own[role]].filter(Boolean).join(', ');
  const tidy = (text) => (text ?? '').replace(/\s+/g, ' ').trim();
  const nameOf = (element) =>
    tidy(
      element.getAttribute('aria-label') ||
        (element.getAttribute('aria-labelledby') ?? '')
          .split(' ')
          .map((id) => document.getElementById(id)?.textContent ?? '')
          .join(' ')
          .trim() ||
        [...(element.labels?.[0]?.childNodes ?? [])]
          .filter((part) => !part.contains(element))
          .map((part) => part.textContent)
          .join(' ') ||
        element.innerText,
    );
  const fits = (element) => element.checkVisibility() && nameOf(element) === name;
  return [...document.querySelectorAll(selector)].find(fits) ?? null;
}
