import type { IconName } from '../../components/icons';

/** A command: run by its shortcut, from the palette or the native menu. */
export interface Command {
  id: string;
  label: string;
  icon: IconName;
  /** Keys as they are displayed: `['Ctrl', 'Shift', 'N']`. */
  keys?: readonly string[];
  /** An alternative shortcut. */
  alternativeKeys?: readonly string[];
  /** Whether it can be run now. */
  enabled: boolean;
  /** Its shortcut runs it even when disabled: its subject may still be loading. */
  runsWhenDisabled?: true;
  /** The focused pane handles the shortcut by itself. */
  handledByPane?: true;
  /** Where the shortcut belongs to an input: in every input, or in one that was edited. */
  yieldsTo?: 'typing' | 'writing';
  /** Set for an option among others: whether it is selected. */
  checked?: boolean;
  run: () => void;
}

/** Keys with another name in `KeyboardEvent.key`. */
const KEY_NAMES: Record<string, string> = { '←': 'arrowleft', '→': 'arrowright', Del: 'delete', Space: ' ' };

/** Whether an event matches a shortcut. Shift counts for letters and named keys only. */
export function isPressed(event: KeyboardEvent, keys: readonly string[]): boolean {
  const key = keys.at(-1) ?? '';
  const shifts = /^[a-z]$/i.test(key) || key.length > 1;
  return (
    event.key.toLowerCase() === (KEY_NAMES[key] ?? key.toLowerCase()) &&
    (event.ctrlKey || event.metaKey) === keys.includes('Ctrl') &&
    event.altKey === keys.includes('Alt') &&
    (!shifts || event.shiftKey === keys.includes('Shift'))
  );
}
