/** The one dialog that may be open. */
export type OpenDialog =
  | { kind: 'item'; parent: number | null }
  | { kind: 'collection'; parent: number | null }
  | { kind: 'erase-items'; nids: number[] }
  | { kind: 'keys' }
  | { kind: 'palette' };

class Dialogs {
  open: OpenDialog | null = $state.raw(null);

  close(): void {
    this.open = null;
  }
}

export const dialogs = new Dialogs();
