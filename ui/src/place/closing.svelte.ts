import { answerClosing, inWindow, onClosing, type ClosingAnswer } from '../desktop';
import { Remembered } from '../parts/remember.svelte';

/** What closing the window means while others are served: asked once. */
class ClosingWindow {
  readonly choice = new Remembered<'ask' | 'serve' | 'quit'>('closing', 'ask');
  /** What somebody is asked now. */
  question: { tray: boolean } | null = $state.raw(null);

  /** Follows the window's own button. Returns how to stop. */
  listen(): () => void {
    if (!inWindow) return () => {};
    const listening = onClosing((question) => {
      if (this.choice.value === 'ask') this.question = question;
      else void answerClosing(this.choice.value);
    });
    return () => void listening.then((stop) => stop());
  }

  answer(answer: ClosingAnswer): void {
    this.question = null;
    if (answer !== 'stay') this.choice.value = answer;
    void answerClosing(answer);
  }
}

export const closingWindow = new ClosingWindow();
