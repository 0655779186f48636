import { answerClose, inWindow, onCloseRequest, type CloseAnswer } from '../../desktop';
import { LocalSetting } from '../../state/local_setting.svelte';

/** What closing the window does while others are served: the user is asked once. */
class WindowClose {
  readonly choice = new LocalSetting<'ask' | 'serve' | 'quit'>('closing', 'ask');
  /** The open question. */
  question: { tray: boolean } | null = $state.raw(null);

  /** Listens for attempts to close the window. Returns a function that stops it. */
  listen(): () => void {
    if (!inWindow) return () => {};
    const listening = onCloseRequest((question) => {
      if (this.choice.value === 'ask') this.question = question;
      else void answerClose(this.choice.value);
    });
    return () => void listening.then((stop) => stop());
  }

  answer(answer: CloseAnswer): void {
    this.question = null;
    if (answer !== 'stay') this.choice.value = answer;
    void answerClose(answer);
  }
}

export const windowClose = new WindowClose();
