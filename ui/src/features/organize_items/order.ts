/** An item in a manually ordered list. */
export interface OrderedItem {
  nid: number;
  /** Items without one come last. */
  weight: number | null;
}

/** Moves items of a list beside another one, in their order. */
export function moveBeside(
  list: OrderedItem[],
  nids: Iterable<number>,
  beside: number,
  after: boolean,
): OrderedItem[] {
  const going = new Set(nids);
  if (going.has(beside)) return list;
  const taken = list.filter(({ nid }) => going.has(nid));
  const left = list.filter(({ nid }) => !going.has(nid));
  const at = left.findIndex(({ nid }) => nid === beside);
  if (at < 0 || taken.length === 0) return list;
  return left.toSpliced(after ? at + 1 : at, 0, ...taken);
}

/** The fewest weights to write so that `after` is the order. */
export function weightsToWrite(before: OrderedItem[], after: OrderedItem[]): Map<number, number> {
  const needing = after.slice(0, after.length - countUnweightedTail(before, after));
  const keptPositions = longestKeepableRun(needing);
  const written = new Map<number, number>();
  let [from, low] = [-1, 0];
  for (const to of [...keptPositions, needing.length]) {
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

/** Number of items at the end that keep their order and need no weight. */
function countUnweightedTail(before: OrderedItem[], after: OrderedItem[]): number {
  const stood = new Map(before.map(({ nid }, index) => [nid, index]));
  let [end, next] = [0, before.length];
  for (const { nid, weight } of after.toReversed()) {
    const at = stood.get(nid) ?? next;
    if (weight !== null || at >= next) break;
    [end, next] = [end + 1, at];
  }
  return end;
}

/** Indexes of the longest run of items that can keep their weights, with room for those between them. */
function longestKeepableRun(list: OrderedItem[]): number[] {
  const availableWeight = (index: number) => (list[index]?.weight ?? 0) - index;
  const before: number[] = [];
  const ends: number[] = [];
  list.forEach(({ weight }, index) => {
    if (weight === null || availableWeight(index) < 1) return;
    // Binary search for the first run that ends higher.
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (availableWeight(ends[middle] ?? 0) <= availableWeight(index)) low = middle + 1;
      else high = middle;
    }
    before[index] = ends[low - 1] ?? -1;
    ends[low] = index;
  });
  const rise: number[] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at] ?? -1) rise.unshift(at);
  return rise;
}
