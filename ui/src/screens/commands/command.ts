import type { IconName } from '../../parts/icons';

/** Something that can be done: by its keys, from the palette, from a menu of the window. */
export interface Command {
  id: string;
  label: string;
  icon: IconName;
  /** As they are written: `['Ctrl', 'Shift', 'N']`. */
  keys?: readonly string[];
  /** Other keys for the same. */
  also?: readonly string[];
  /** Whether it means something now. */
  ready: boolean;
  /** Its keys do it even so: what it is about may still be on its way. */
  waits?: true;
  /** The keys belong to the pane that has the keyboard, which does the same by itself. */
  ofPane?: true;
  /** Where its keys are the field's own: in every field, or where something is being written. */
  yields?: 'typing' | 'writing';
  /** Set for a choice among others: says whether it is the one. */
  checked?: boolean;
  run: () => void;
}

/** Written otherwise than the browser calls them. */
const NAMES: Record<string, string> = { '←': 'arrowleft', '→': 'arrowright', Del: 'delete', Space: ' ' };

/** Whether an event is of these keys. Shift counts where it makes no other character of the key. */
export function isPressed(event: KeyboardEvent, keys: readonly string[]): boolean {
  const key = keys.at(-1) ?? '';
  const shifts = /^[a-z]$/i.test(key) || key.length > 1;
  return (
    event.key.toLowerCase() === (NAMES[key] ?? key.toLowerCase()) &&
    (event.ctrlKey || event.metaKey) === keys.includes('Ctrl') &&
    event.altKey === keys.includes('Alt') &&
    (!shifts || event.shiftKey === keys.includes('Shift'))
  );
}
