/** The toast; one is displayed at a time. */
export interface ToastMessage {
  text: string;
  tone: 'plain' | 'bad';
  act?: { label: string; run: () => void };
}

class Toaster {
  message: ToastMessage | null = $state.raw(null);

  say(text: string, act?: ToastMessage['act']): void {
    this.message = { text, tone: 'plain', act };
  }

  warn(text: string, act?: ToastMessage['act']): void {
    this.message = { text, tone: 'bad', act };
  }

  clear(): void {
    this.message = null;
  }
}

export const toaster = new Toaster();
