/** An item in a list that is sorted by hand. */
export interface Placed {
  nid: number;
  /** `field_weight`; those without stand behind all others. */
  weight: number | null;
}

/** The list with some of its items, in their order, taken out and put down beside another one. */
export function putBeside(list: Placed[], nids: Iterable<number>, beside: number, after: boolean): Placed[] {
  const going = new Set(nids);
  if (going.has(beside)) return list;
  const taken = list.filter(({ nid }) => going.has(nid));
  const left = list.filter(({ nid }) => !going.has(nid));
  const at = left.findIndex(({ nid }) => nid === beside);
  if (at < 0 || taken.length === 0) return list;
  return left.toSpliced(after ? at + 1 : at, 0, ...taken);
}

/** The weights that have to be written so that `after` is the order; as few as possible. */
export function weightsToWrite(before: Placed[], after: Placed[]): Map<number, number> {
  const needing = after.slice(0, after.length - unweightedEnd(before, after));
  const kept = longestRise(needing);
  const written = new Map<number, number>();
  let [from, low] = [-1, 0];
  for (const to of [...kept, needing.length]) {
    const high = needing[to]?.weight ?? low + (to - from);
    for (let index = from + 1; index < to; index += 1) {
      const one = needing[index];
      const weight = low + Math.floor(((index - from) * (high - low)) / (to - from));
      if (one && one.weight !== weight) written.set(one.nid, weight);
    }
    [from, low] = [to, high];
  }
  return written;
}

/** How many at the end have no weight and follow each other as they did: they need none. */
function unweightedEnd(before: Placed[], after: Placed[]): number {
  const stood = new Map(before.map(({ nid }, index) => [nid, index]));
  let [end, next] = [0, before.length];
  for (const { nid, weight } of after.toReversed()) {
    const at = stood.get(nid) ?? next;
    if (weight !== null || at >= next) break;
    [end, next] = [end + 1, at];
  }
  return end;
}

/** Positions of the most items that can keep their weights: between two of them there is room for those between. */
function longestRise(list: Placed[]): number[] {
  const room = (index: number) => (list[index]?.weight ?? 0) - index;
  const before: number[] = [];
  const ends: number[] = [];
  list.forEach(({ weight }, index) => {
    if (weight === null || room(index) < 1) return;
    // The first run that ends higher; equal room is room enough.
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (room(ends[middle] ?? 0) <= room(index)) low = middle + 1;
      else high = middle;
    }
    before[index] = ends[low - 1] ?? -1;
    ends[low] = index;
  });
  const rise: number[] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at] ?? -1) rise.unshift(at);
  return rise;
}
