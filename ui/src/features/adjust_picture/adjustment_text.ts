import type { Media } from '../../api/types';
import { adjustmentOf } from '../../media_display/picture_adjustment';
import { t } from '../../texts';
import { number } from '../../texts/format';

/** How what is made of an original is adjusted, in words; null where it is not. */
export function adjustmentText(media: Pick<Media, 'adjustment'>): string | null {
  const { rotation, crop } = adjustmentOf(media);
  const words = [
    crop && t.adjust.cropped(number(crop.width), number(crop.height)),
    rotation !== 0 && t.adjust.rotatedBy(rotation),
  ];
  return words.filter(Boolean).join(', ') || null;
}
