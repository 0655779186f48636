import { LocalSetting } from './local_setting.svelte';

const treeWidth = new LocalSetting<number | null>('tree-width', null);
const inspectorWidth = new LocalSetting<number | null>('inspector-width', null);
const facetsWidth = new LocalSetting<number | null>('facets-width', null);
/** Null: displayed where there is much space. */
const facetsOpen = new LocalSetting<boolean | null>('facets', null);

/** Widths in rem, so that they grow with the user's font size. */
export const PANE_LIMITS = { tree: [11.5, 28], facets: [10, 22], inspector: [19, 44] } as const;

export type ResizablePane = keyof typeof PANE_LIMITS;

const WIDTHS = { tree: treeWidth, facets: facetsWidth, inspector: inspectorWidth };

/** Widths of the panes. A narrow screen displays one of them. */
class Layout {
  pane: 'tree' | 'items' | 'inspector' = $state('items');
  /** Pixels at the bottom of the items pane that lie under the panel of transfers. */
  coveredHeight = $state(0);

  /** Whether facets are displayed beside the items. */
  get facets(): boolean {
    return facetsOpen.value ?? matchMedia('(min-width: 100em)').matches;
  }

  set facets(open: boolean) {
    facetsOpen.value = open;
  }

  /** A width as CSS has it; undefined: the default. */
  width(side: ResizablePane): string | undefined {
    const { value } = WIDTHS[side];
    return value === null ? undefined : `${value}rem`;
  }

  resize(side: ResizablePane, width: number): void {
    const [min, max] = PANE_LIMITS[side];
    WIDTHS[side].value = Math.round(Math.min(max, Math.max(min, width)) * 8) / 8;
  }

  reset(side: ResizablePane): void {
    WIDTHS[side].value = null;
  }
}

export const layout = new Layout();
