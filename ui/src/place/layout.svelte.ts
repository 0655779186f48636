import { Remembered } from '../parts/remember.svelte';

const tree = new Remembered<number | null>('tree-width', null);
const inspector = new Remembered<number | null>('inspector-width', null);

/** Widths in rem, so that they grow with the reader's text. */
export const LIMITS = { tree: [11.5, 28], inspector: [19, 44] } as const;

/** How the panes stand. On a narrow screen one is over the others. */
class Layout {
  /** Which pane a narrow screen shows. */
  pane: 'tree' | 'items' | 'inspector' = $state('items');

  get treeWidth(): string | undefined {
    return tree.value === null ? undefined : `${tree.value}rem`;
  }

  get inspectorWidth(): string | undefined {
    return inspector.value === null ? undefined : `${inspector.value}rem`;
  }

  resize(side: 'tree' | 'inspector', width: number): void {
    const [least, most] = LIMITS[side];
    const kept = Math.round(Math.min(most, Math.max(least, width)) * 8) / 8;
    if (side === 'tree') tree.value = kept;
    else inspector.value = kept;
  }

  reset(side: 'tree' | 'inspector'): void {
    if (side === 'tree') tree.value = null;
    else inspector.value = null;
  }
}

export const layout = new Layout();
