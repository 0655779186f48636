import { imagePath, readImage } from '../../api/tiles';
import { absoluteUrl } from '../../api/client';
import type { Media } from '../../api/types';
import { toaster } from '../../state/toast.svelte';
import { t } from '../../texts';
import { errorText } from '../../state/batch_preview.svelte';
import type { DeepZoom } from './deep_zoom.svelte';
import { CropDraft, type PictureAdjuster } from './picture_adjuster.svelte';
import { awaitTiles, tileSource } from './zoom_picture';
import type { ViewerItem } from './viewer_item.svelte';

/** Chooses a region of the displayed picture, and copies it: its address (IIIF Image API 3.0), or itself. */
export class RegionCopy {
  /** Null unless a region is being chosen. */
  draft: CropDraft | null = $state.raw(null);
  isOpening = $state(false);
  /** The page whose region is chosen. */
  readonly #place = $derived.by(() => `${this.subject.pageItem?.nid} ${this.subject.openPages}`);

  constructor(
    readonly subject: ViewerItem,
    readonly adjuster: PictureAdjuster,
  ) {
    $effect(() => {
      void this.#place;
      this.draft = null;
    });
  }

  /** The file of the one picture that is displayed. */
  private get file(): { fid: number; page: number | null; original: Media } | null {
    const { presentation, openPages, pageOfFile } = this.subject;
    if (!presentation || !('original' in presentation) || openPages.length !== 1) return null;
    const { kind, original } = presentation;
    const { file } = original;
    if (!file || !['picture', 'small', 'pdf'].includes(kind)) return null;
    return { fid: file.fid, page: kind === 'pdf' ? (openPages[0] ?? 1) : pageOfFile, original };
  }

  get mayStart(): boolean {
    return this.file !== null && this.adjuster.draft === null;
  }

  /** Begins with what is seen of the picture. Of a cropped or rotated one, all of its file is displayed. */
  async start(zoom: DeepZoom): Promise<void> {
    const { file } = this;
    const place = this.#place;
    if (!file || this.isOpening) return;
    this.isOpening = true;
    try {
      const picture = { fid: file.fid, media: null, page: file.page };
      const tiles = await awaitTiles(picture, new AbortController().signal);
      const whole = tileSource(tiles);
      if (!whole) return toaster.warn(tiles.reason ?? t.viewer.brokenPicture);
      if (place !== this.#place) return;
      const isOther = this.adjuster.isAdjusted || this.adjuster.isHeld;
      const [displayed] = this.adjuster.pictures;
      const seen = isOther ? null : zoom.seenPart(whole);
      this.draft = new CropDraft(
        whole,
        isOther || !displayed ? { url: null, original: picture } : displayed,
        isOther ? (file.original.adjustment?.rotation ?? 0) / 90 + zoom.turns : zoom.turns,
        seen,
      );
    } catch (error) {
      toaster.warn(errorText(error));
    } finally {
      this.isOpening = false;
    }
  }

  cancel(): void {
    this.draft = null;
  }

  private path(zoom: DeepZoom, format: 'jpg' | 'png'): string {
    const { draft, file } = this;
    return draft && file ? imagePath(file, draft.crop, 90 * zoom.turns, format) : '';
  }

  async copyAddress(zoom: DeepZoom): Promise<void> {
    const address = absoluteUrl(this.path(zoom, 'jpg'));
    try {
      await navigator.clipboard.writeText(address);
      toaster.say(t.say.copied);
    } catch {
      toaster.warn(t.viewer.noClipboard(address));
    }
    this.draft = null;
  }

  async copyPicture(zoom: DeepZoom): Promise<void> {
    const path = this.path(zoom, 'png');
    try {
      // The browser permits it while the button is being pressed; the picture may come later.
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': readImage(path) })]);
      toaster.say(t.say.copied);
      this.draft = null;
    } catch {
      toaster.warn(t.viewer.noClipboard(absoluteUrl(path)));
    }
  }
}
