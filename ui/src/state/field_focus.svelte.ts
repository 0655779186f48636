/** A field that has the focus as soon as the form of its item is displayed. */
class FieldFocus {
  wanted: { nid: number; field: string } | null = $state.raw(null);
}

export const fieldFocus = new FieldFocus();
