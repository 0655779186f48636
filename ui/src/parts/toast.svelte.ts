/** One message at a time, for what has happened. */
export interface Message {
  text: string;
  tone: 'plain' | 'bad';
  act?: { label: string; run: () => void };
}

class Toaster {
  message: Message | null = $state.raw(null);

  say(text: string, act?: Message['act']): void {
    this.message = { text, tone: 'plain', act };
  }

  warn(text: string, act?: Message['act']): void {
    this.message = { text, tone: 'bad', act };
  }

  clear(): void {
    this.message = null;
  }
}

export const toaster = new Toaster();
