/** Opens a panel beside the thing it belongs to, in the top layer, wherever there is room. */
export interface LayerOptions {
  anchor: HTMLElement;
  /** Under the anchor's left or right edge. */
  align?: 'start' | 'end';
  /** At least as wide as the anchor. */
  match?: boolean;
}

const GAP = 4;
const EDGE = 8;

export function layer(panel: HTMLElement, options: LayerOptions) {
  let current = options;
  const place = () => position(panel, current);
  panel.popover = 'manual';
  panel.showPopover();
  place();
  const sizes = new ResizeObserver(place);
  sizes.observe(panel);
  addEventListener('scroll', place, true);
  addEventListener('resize', place);
  return {
    update(next: LayerOptions) {
      current = next;
      place();
    },
    destroy() {
      sizes.disconnect();
      removeEventListener('scroll', place, true);
      removeEventListener('resize', place);
    },
  };
}

function position(panel: HTMLElement, { anchor, align = 'start', match = false }: LayerOptions): void {
  const box = anchor.getBoundingClientRect();
  const { style } = panel;
  style.minWidth = match ? `${box.width}px` : '';
  const below = innerHeight - box.bottom - GAP - EDGE;
  const above = box.top - GAP - EDGE;
  const up = panel.scrollHeight > below && above > below;
  style.maxHeight = `${Math.max(96, up ? above : below)}px`;
  const left = align === 'end' ? box.right - panel.offsetWidth : box.left;
  style.left = `${Math.max(EDGE, Math.min(left, innerWidth - panel.offsetWidth - EDGE))}px`;
  style.top = up ? `${Math.max(EDGE, box.top - GAP - panel.offsetHeight)}px` : `${box.bottom + GAP}px`;
}
