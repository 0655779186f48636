/** Makes a picture as small as the server takes one for the repository. */

/** Pixels of its longer side: sharp at 40 pixels on a dense screen, also when zoomed. */
const SIDE = 192;
/** Bytes. */
const LARGEST = 40 * 1024;
const FORMATS: [type: string, quality: number | undefined][] = [
  ['image/png', undefined],
  ['image/webp', 0.9],
  ['image/jpeg', 0.85],
  ['image/jpeg', 0.6],
];

/** The picture of a file in base64; null where the browser cannot read it. */
export async function smallPicture(file: Blob): Promise<string | null> {
  const bitmap = await createImageBitmap(file).catch(() => null);
  if (!bitmap) return null;
  const scale = Math.min(1, SIDE / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const context = canvas.getContext('2d');
  if (!context) return null;
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  for (const [type, quality] of FORMATS) {
    const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, type, quality));
    // A browser that cannot write a format answers with another.
    if (blob?.type === type && blob.size <= LARGEST) return base64Of(blob);
  }
  return null;
}

async function base64Of(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
