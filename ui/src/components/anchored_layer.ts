/** Svelte action that opens a panel in the top layer, beside its anchor. */
export interface LayerOptions {
  anchor: HTMLElement;
  /** Aligned with the left or the right edge of the anchor. */
  align?: 'start' | 'end';
  /** At least as wide as the anchor. */
  match?: boolean;
  /** Called when something beside the panel and its anchor is pressed. */
  onoutside?: () => void;
}

const GAP = 4;
const MARGIN = 8;

export function anchoredLayer(panel: HTMLElement, options: LayerOptions) {
  let current = options;
  const place = () => position(panel, current);
  const press = ({ target }: PointerEvent) => {
    const inside = [panel, current.anchor].some((element) => element.contains(target as Node));
    if (!inside) current.onoutside?.();
  };
  panel.popover = 'manual';
  panel.showPopover();
  place();
  const sizes = new ResizeObserver(place);
  sizes.observe(panel);
  addEventListener('scroll', place, true);
  addEventListener('resize', place);
  addEventListener('pointerdown', press);
  return {
    update(next: LayerOptions) {
      current = next;
      place();
    },
    destroy() {
      sizes.disconnect();
      removeEventListener('scroll', place, true);
      removeEventListener('resize', place);
      removeEventListener('pointerdown', press);
    },
  };
}

function position(panel: HTMLElement, { anchor, align = 'start', match = false }: LayerOptions): void {
  const box = anchor.getBoundingClientRect();
  const { style } = panel;
  style.minWidth = match ? `${box.width}px` : '';
  const below = innerHeight - box.bottom - GAP - MARGIN;
  const above = box.top - GAP - MARGIN;
  const up = panel.scrollHeight > below && above > below;
  style.maxHeight = `${Math.max(96, up ? above : below)}px`;
  const left = align === 'end' ? box.right - panel.offsetWidth : box.left;
  style.left = `${Math.max(MARGIN, Math.min(left, innerWidth - panel.offsetWidth - MARGIN))}px`;
  style.top = up ? `${Math.max(MARGIN, box.top - GAP - panel.offsetHeight)}px` : `${box.bottom + GAP}px`;
}
