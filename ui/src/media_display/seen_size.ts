export type Size = { width: number; height: number };

/** Exif orientations of pictures that lie on their side in their file. */
const ON_ITS_SIDE = [5, 6, 7, 8];

/** The size of a picture as it is seen, upright; `facts` are those of its file. */
export function seenSize({ width, height }: Size, facts: Record<string, unknown> | null | undefined): Size {
  const lies = ON_ITS_SIDE.includes(Number(facts?.orientation));
  return lies ? { width: height, height: width } : { width, height };
}
