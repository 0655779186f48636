import { isPressed, type Command } from './commands/command';
import { allCommands } from './commands/commands';

/** Keys that work everywhere. Keys of a pane are handled by the pane. */
export function shortcuts(event: KeyboardEvent): void {
  // Most keys are words that are being written: nobody looks through the commands for those.
  if (event.key.length === 1 && event.key !== '?' && !event.ctrlKey && !event.metaKey) return;
  const command = allCommands().find((command) => answers(command, event));
  if (!command) return;
  event.preventDefault();
  command.run();
}

function answers({ keys, also, ofPane, ready, waits, yields }: Command, event: KeyboardEvent): boolean {
  if (ofPane || !(ready || waits)) return false;
  if (![keys, also].some((some) => some && isPressed(event, some))) return false;
  return !((yields === 'typing' && isTyping(event)) || (yields === 'writing' && isWriting(event)));
}

export function isTyping(event: Event): boolean {
  const { target } = event;
  return target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]');
}

/** Where something was typed that its field has not been left with. */
let written: EventTarget | null = null;

/** Hears of every key that wrote something. */
export function typed(event: Event): void {
  written = event.target;
  event.target?.addEventListener('blur', () => (written = null), { once: true });
}

/** In words that are being written, undo and redo are the field's own. */
function isWriting(event: Event): boolean {
  return isTyping(event) && event.target === written;
}
