/** A button of the toast. */
export interface ToastAction {
  label: string;
  run: () => void;
}

/** The toast; one is displayed at a time. */
interface ToastMessage {
  text: string;
  tone: 'plain' | 'bad';
  acts: ToastAction[];
}

class Toaster {
  message: ToastMessage | null = $state.raw(null);

  say(text: string, ...acts: (ToastAction | undefined)[]): void {
    this.message = { text, tone: 'plain', acts: acts.filter((act) => act !== undefined) };
  }

  warn(text: string, ...acts: (ToastAction | undefined)[]): void {
    this.message = { text, tone: 'bad', acts: acts.filter((act) => act !== undefined) };
  }

  clear(): void {
    this.message = null;
  }
}

export const toaster = new Toaster();
