import type { Component } from 'svelte';
import type { Field, FieldItem } from '../api/types';

/** Props of the editor of one value. Editors do not save. */
export interface EditorProps {
  field: Field;
  item: FieldItem;
  /** Accessible name, with the position among several values. */
  label: string;
  readonly: boolean;
  invalid: boolean;
  describedby: string | undefined;
  /** Called while typing. */
  onchange: (item: FieldItem) => void;
  /** Called when the value is complete, such as after a selection or Enter. */
  oncommit: () => void;
  /**
   * Called when the text that was typed has become a reference, or is none: null. The value may have moved, or the form
   * may have left the page meanwhile.
   */
  onresolve: (typed: string, target: FieldItem | null) => void;
}

/** A field type: the editor and the functions of its values. */
export interface FieldType {
  Editor: Component<EditorProps>;
  /** A blank value. */
  empty: (field: Field) => FieldItem;
  isBlank: (item: FieldItem) => boolean;
  /** The properties that the server accepts. */
  wire: (item: FieldItem) => FieldItem;
  /** Whether the button for another value is always displayed below. */
  alwaysOffersAnother?: boolean;
  /** Replaces the label before a value, such as by the role of an agent. */
  Label?: Component<EditorProps>;
}

export function textOf(item: FieldItem, property = 'value'): string {
  const value = item[property];
  return value === null || value === undefined ? '' : String(value);
}
