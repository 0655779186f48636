/** A setting that is stored in this browser. */
export class LocalSetting<T> {
  #key: string;
  #value: T = $state() as T;

  constructor(key: string, initial: T) {
    this.#key = `isolario.${key}`;
    this.#value = readStored(this.#key) ?? initial;
  }

  get value(): T {
    return this.#value;
  }

  set value(value: T) {
    this.#value = value;
    try {
      localStorage.setItem(this.#key, JSON.stringify(value));
    } catch {
      // Storage may be full or forbidden: the setting then lasts as long as the page.
    }
  }
}

function readStored<T>(key: string): T | null {
  try {
    const text = localStorage.getItem(key);
    return text === null ? null : (JSON.parse(text) as T);
  } catch {
    return null;
  }
}
