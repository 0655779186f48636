import { isPressed, type Command } from './command_type';
import { allCommands } from './commands';

/** Handles global shortcuts. Panes handle their own keys. */
export function handleShortcut(event: KeyboardEvent): void {
  // Plain characters are typing, not shortcuts.
  if (event.key.length === 1 && event.key !== '?' && !event.ctrlKey && !event.metaKey) return;
  const command = allCommands().find((command) => matchesShortcut(command, event));
  if (!command) return;
  event.preventDefault();
  command.run();
}

function matchesShortcut(
  { keys, alternativeKeys, handledByPane, enabled, runsWhenDisabled, yieldsTo }: Command,
  event: KeyboardEvent,
): boolean {
  if (handledByPane || !(enabled || runsWhenDisabled)) return false;
  if (![keys, alternativeKeys].some((some) => some && isPressed(event, some))) return false;
  return !((yieldsTo === 'typing' && isTyping(event)) || (yieldsTo === 'writing' && isWriting(event)));
}

export function isTyping(event: Event): boolean {
  const { target } = event;
  return target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]');
}

/** The input that was edited since it was focused. */
let editedTarget: EventTarget | null = null;

/** Tracks which input was edited. */
export function trackInput(event: Event): void {
  editedTarget = event.target;
  event.target?.addEventListener('blur', () => (editedTarget = null), { once: true });
}

/** In an edited input, undo and redo belong to the input. */
function isWriting(event: Event): boolean {
  return isTyping(event) && event.target === editedTarget;
}
