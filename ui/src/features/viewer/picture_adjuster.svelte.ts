import { untrack } from 'svelte';
import { isPending } from '../../api/jobs';
import type { Crop, Media, PictureAdjustment } from '../../api/types';
import { adjustmentOf, AS_ORIGINAL, rotated, uprightSize } from '../../media_display/picture_adjustment';
import { canShowOriginal } from '../../media_display/presentation';
import type { Size } from '../../media_display/seen_size';
import { refreshLists } from '../../state/live_updates';
import { t } from '../../texts';
import { adjustPicture } from '../adjust_picture/adjust_picture';
import type { DeepZoom } from './deep_zoom.svelte';
import type { ViewerItem } from './viewer_item.svelte';
import { isCopyOf, type ZoomPicture } from './zoom_picture';

/** Pictures that stay in the viewer until what was kept has been made. */
interface HeldPictures {
  nid: number | undefined;
  pictures: ZoomPicture[];
  /** The service file that is to be replaced. */
  replaced: string | null;
  /** Whether the server has the adjustment, so that the jobs are those of its derivatives. */
  sent: boolean;
}

/** The crop that is being chosen on the whole picture. */
export class CropDraft {
  rectangle: Crop = $state.raw({ x: 0, y: 0, width: 1, height: 1 });

  constructor(
    /** Size of the whole upright picture. */
    readonly whole: Size,
    readonly picture: ZoomPicture,
    /** Quarter turns with which it is displayed at first. */
    readonly turns: number,
    crop: Crop | null,
  ) {
    this.rectangle = crop ?? { x: 0, y: 0, ...whole };
  }

  /** Null where it keeps the whole picture. */
  get crop(): Crop | null {
    const { width, height } = this.rectangle;
    return width === this.whole.width && height === this.whole.height ? null : this.rectangle;
  }
}

/** Crops and rotates the displayed picture: what is made of its original, not the original itself. */
export class PictureAdjuster {
  /** Null unless a crop is being chosen. */
  draft: CropDraft | null = $state.raw(null);
  #held: HeldPictures | null = $state.raw(null);
  /** The item whose picture is displayed, however often it is read. */
  readonly #nid = $derived.by(() => this.subject.pageItem?.nid);

  constructor(readonly subject: ViewerItem) {
    $effect(() => {
      void this.#nid;
      untrack(() => this.forget());
    });
    $effect(() => {
      if (!this.#held || this.isHeld) return;
      this.#held = null;
      // The row of pages shows the new thumbnail, too.
      untrack(refreshLists);
    });
  }

  /** The original that this user may adjust; null where there is none, for two pages, and for later pages of a file. */
  get media(): Media | null {
    const { presentation, openPages, pageOfFile } = this.subject;
    if (presentation?.kind !== 'picture' && presentation?.kind !== 'small') return null;
    const isAlone = openPages.length === 1 && (pageOfFile ?? 1) === 1;
    return presentation.original.may.adjust && isAlone ? presentation.original : null;
  }

  get mayCrop(): boolean {
    return this.media !== null && uprightSize(this.media) !== null;
  }

  get isAdjusted(): boolean {
    return this.media?.adjustment != null;
  }

  /** Whether what is displayed is already kept. */
  get isHeld(): boolean {
    return this.held !== null;
  }

  private get held(): HeldPictures | null {
    return this.#held && this.#held.nid === this.#nid && !this.isReplaced(this.#held) ? this.#held : null;
  }

  private isReplaced({ replaced, sent }: HeldPictures): boolean {
    const { serviceUrl, serviceJob } = this.subject;
    if (serviceUrl !== replaced) return true;
    // The list of files may come after that of the jobs.
    return sent && !isPending(serviceJob?.state ?? 'gone') && serviceJob?.state !== 'made';
  }

  /** The displayed pictures, from left to right. */
  get pictures(): ZoomPicture[] {
    return this.draft ? [this.draft.picture] : (this.held?.pictures ?? this.subject.pictures);
  }

  /** Quarter turns with which the pictures are displayed at first. */
  get turns(): number {
    return this.draft?.turns ?? 0;
  }

  /** A note on a picture that is not displayed as it was kept; empty: none. */
  get note(): string {
    const { serviceJob, serviceUrl } = this.subject;
    if (this.draft || !serviceJob || !(this.isHeld || this.isAdjusted || serviceUrl)) return '';
    if (isPending(serviceJob.state)) return serviceJob.enabled ? t.adjust.making : t.adjust.off;
    return this.isAdjusted && serviceJob.state !== 'made' ? (serviceJob.reason ?? '') : '';
  }

  startCrop(zoom: DeepZoom): void {
    const { media } = this;
    const whole = media && uprightSize(media);
    if (!media || !whole) return;
    const { rotation, crop } = adjustmentOf(media);
    const turns = this.isHeld ? zoom.turns : rotation / 90 + zoom.turns;
    zoom.showPart(null, whole);
    this.draft = new CropDraft(whole, this.wholePicture(media, whole), turns, crop);
  }

  /** The whole picture: what is displayed, unless it is adjusted. */
  private wholePicture(media: Media, whole: Size): ZoomPicture {
    const { presentation, pictures } = this.subject;
    const [displayed] = pictures;
    const isWhole =
      presentation && 'media' in presentation && !this.isAdjusted && !this.isHeld
        ? presentation.media === media || isCopyOf(presentation.media, whole)
        : false;
    if (isWhole && displayed) return displayed;
    if (canShowOriginal(media)) return { url: media.file?.view_url ?? '', original: null };
    return { url: null, original: { fid: media.file?.fid ?? 0, media: null, page: null } };
  }

  cancelCrop(): void {
    this.draft = null;
  }

  /** Keeps the crop that was chosen and the rotation of the view. A crop that was not kept can be kept again. */
  async keep(zoom: DeepZoom): Promise<void> {
    const { draft, media, pictures } = this;
    if (!media) return;
    if (!draft) {
      await this.send(media, rotated(adjustmentOf(media), zoom.turns), pictures);
      return;
    }
    const { crop, whole } = draft;
    this.draft = null;
    zoom.showPart(crop, whole);
    const isSent = await this.send(media, { rotation: 90 * zoom.turns, crop }, pictures);
    if (isSent || this.media?.mid !== media.mid) return;
    zoom.showPart(null, whole);
    this.draft = draft;
  }

  /** Shows the picture as it is in its file. */
  async showOriginal(zoom: DeepZoom): Promise<void> {
    const { media, pictures } = this;
    if (!media) return;
    this.draft = null;
    const back = zoom.turns === 3 ? 1 : -1;
    while (zoom.turns !== 0) zoom.rotate(back);
    await this.send(media, AS_ORIGINAL, pictures);
  }

  private async send(media: Media, adjustment: PictureAdjustment, pictures: ZoomPicture[]): Promise<boolean> {
    const held = { nid: this.#nid, pictures, replaced: this.subject.serviceUrl, sent: false };
    this.#held = held;
    const outcome = await adjustPicture(media, adjustment);
    if (outcome === 'kept') await this.subject.refetchJobs();
    if (this.#held === held) this.#held = outcome === 'kept' ? { ...held, sent: true } : null;
    return outcome !== 'failed';
  }

  private forget(): void {
    this.draft = null;
    this.#held = null;
  }
}
