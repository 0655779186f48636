import { itemSequence } from '../../state/item_sequence.svelte';
import { navigation } from '../../state/navigation.svelte';
import type { ComparedPage } from '../../state/route';
import type { DeepZoom } from './deep_zoom.svelte';
import type { ViewerItem } from './viewer_item.svelte';

/** Two pictures side by side, of which the one shows what is seen of the other. */
export class Comparison {
  /** Whether both move together. */
  isLinked = $state(true);
  /** The picture that was used last, from left to right: keys are for it, and the other one follows it. */
  active: 0 | 1 = $state(0);
  /** From left to right; null: not there yet. */
  readonly zooms: (DeepZoom | null)[] = $state([null, null]);

  constructor() {
    $effect(() => {
      const [left, right] = this.zooms;
      const areShown = left?.state === 'shown' && right?.state === 'shown';
      if (!left || !right || !areShown || !this.isLinked) return;
      const leader = this.active === 0 ? left : right;
      const other = this.active === 0 ? right : left;
      const lead = () => {
        const { view } = leader;
        if (view) other.follow(view);
      };
      leader.onmove = lead;
      lead();
      return () => (leader.onmove = () => {});
    });
  }

  get compared(): ComparedPage | null {
    return navigation.browse.compared;
  }

  /** Opens the next page or item beside that of a viewer, or closes what is there. */
  toggle({ nid, pageCount, openPages }: ViewerItem): void {
    if (this.compared) return this.show(null);
    const [page = 1, item] = [openPages[0], nid()];
    const isAlone = pageCount <= 1;
    const other = isAlone ? (itemSequence.neighbor(item, 1) ?? itemSequence.neighbor(item, -1)) : null;
    this.show({ item: other ?? item, page: isAlone ? 1 : page < pageCount ? page + 1 : page - 1 });
  }

  show(compared: ComparedPage | null): void {
    this.active = 0;
    navigation.replace({ ...navigation.browse, compared });
  }
}
