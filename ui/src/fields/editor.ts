import type { Component } from 'svelte';
import type { Field, FieldItem } from '../api/types';

/** What an editor of one value gets. It never saves; it says what was typed. */
export interface EditorProps {
  field: Field;
  item: FieldItem;
  /** Name for a screen reader, with the position when there are several values. */
  label: string;
  readonly: boolean;
  invalid: boolean;
  describedby: string | undefined;
  /** The value changed while typing. */
  onchange: (item: FieldItem) => void;
  /** The value is whole: a choice was made, Enter was pressed. */
  oncommit: () => void;
}

/** One field type: how its values are edited, made and written. */
export interface FieldType {
  Editor: Component<EditorProps>;
  /** A value with nothing in it. */
  empty: (field: Field) => FieldItem;
  isBlank: (item: FieldItem) => boolean;
  /** Only what the server takes on input (interface, Shared item shapes). */
  wire: (item: FieldItem) => FieldItem;
  /** Several values are usual: the button for another one always stands below. */
  adds?: boolean;
  /** In place of the field's name before a value, such as the role of an agent. */
  Label?: Component<EditorProps>;
}

export function textOf(item: FieldItem, property = 'value'): string {
  const value = item[property];
  return value === null || value === undefined ? '' : String(value);
}
