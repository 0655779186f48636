import { LocalSetting } from './local_setting.svelte';

const treeWidth = new LocalSetting<number | null>('tree-width', null);
const inspectorWidth = new LocalSetting<number | null>('inspector-width', null);

/** Widths in rem, so that they grow with the user's font size. */
export const PANE_LIMITS = { tree: [11.5, 28], inspector: [19, 44] } as const;

/** Widths of the panes. A narrow screen displays one of them. */
class Layout {
  pane: 'tree' | 'items' | 'inspector' = $state('items');
  /** Pixels at the bottom of the items pane that lie under the panel of transfers. */
  coveredHeight = $state(0);

  get treeWidth(): string | undefined {
    return treeWidth.value === null ? undefined : `${treeWidth.value}rem`;
  }

  get inspectorWidth(): string | undefined {
    return inspectorWidth.value === null ? undefined : `${inspectorWidth.value}rem`;
  }

  resize(side: 'tree' | 'inspector', width: number): void {
    const [min, max] = PANE_LIMITS[side];
    const rounded = Math.round(Math.min(max, Math.max(min, width)) * 8) / 8;
    if (side === 'tree') treeWidth.value = rounded;
    else inspectorWidth.value = rounded;
  }

  reset(side: 'tree' | 'inspector'): void {
    if (side === 'tree') treeWidth.value = null;
    else inspectorWidth.value = null;
  }
}

export const layout = new Layout();
