/** A term among those below the same one. */
export interface Sibling {
  tid: number;
  name: string;
  weight: number;
}

/** A place for a term. `siblings` are those of the place, without the term, as far as they are known. */
export interface TermPlace {
  /** The term above; 0 for the top. */
  parent: number;
  siblings: Sibling[];
  /** How many of them come before it. */
  index: number;
}

/**
 * The weights to write so that a term stands at its place: that of the term, and of as few before it as possible. Those
 * behind it may not all be known, so they keep theirs.
 */
export function weightsAt(moved: Sibling, { siblings, index }: TermPlace): Map<number, number> {
  const before = siblings.slice(0, index);
  const next = siblings[index];
  const last = before.at(-1);
  const least = last ? last.weight + (sortsBefore(last, moved) ? 0 : 1) : -Infinity;
  const most = next ? highestBefore(moved, next) : Infinity;
  const written = new Map<number, number>();
  if (least <= most) {
    const weight = Math.min(Math.max(moved.weight, least), most);
    if (weight !== moved.weight) written.set(moved.tid, weight);
    return written;
  }
  let following: Sibling = { ...moved, weight: most };
  if (most !== moved.weight) written.set(moved.tid, most);
  for (const one of before.toReversed()) {
    const weight = Math.min(one.weight, highestBefore(one, following));
    if (weight === one.weight) break;
    written.set(one.tid, weight);
    following = { ...one, weight };
  }
  return written;
}

function highestBefore(one: Sibling, next: Sibling): number {
  return next.weight - (sortsBefore(one, next) ? 0 : 1);
}

/** As the database sorts names: whatever the case of ASCII letters. */
function sortsBefore(one: Sibling, other: Sibling): boolean {
  const [a, b] = [folded(one.name), folded(other.name)];
  return a === b ? one.tid < other.tid : a < b;
}

const folded = (name: string) => name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
