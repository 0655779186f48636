import OpenSeadragon from 'openseadragon';
import type { Crop } from '../../api/types';
import {
  awaitTiles,
  loadPicture,
  tileSource,
  type LoadedPicture,
  type PictureSize,
  type TiledOriginal,
  type ZoomPicture,
} from './zoom_picture';

/** Zoom factor of one key press. */
const ZOOM_STEP = 1.4;
/** Height that the zoom bar covers, in pixels. */
const ZOOM_BAR = 64;
/** Where the whole picture stands: above the zoom bar. */
const MARGINS = { left: 0, top: 0, right: 0, bottom: ZOOM_BAR };
/**
 * While its edges are dragged, these are away from those of the stage. A turned picture needs equal margins on opposite
 * sides: OpenSeadragon turns it about the middle of the stage.
 */
const EVEN_MARGINS = { left: 24, top: ZOOM_BAR, right: 24, bottom: ZOOM_BAR };
/** What a rectangle of what is seen is away from the sides of the stage, in pixels. */
const SEEN_INSET = 80;
/** Gap between two pages, in page heights. */
const GUTTER = 0.01;

const prefersReducedMotion = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

const scaledRect = ({ x, y, width, height }: Crop, scale: number) =>
  new OpenSeadragon.Rect(x * scale, y * scale, width * scale, height * scale);

/** What is seen of the first picture, whatever its size. */
interface PictureView {
  /** The middle, of its width and height. */
  x: number;
  y: number;
  /** 1 where all of it is seen. */
  zoom: number;
}

/** Zooms and pans a picture, or two facing pages. */
export class DeepZoom {
  state: 'loading' | 'shown' | 'failed' = $state('loading');
  /** Percent of the original size: at 100, a pixel of the screen shows a pixel of the original. */
  percent = $state(0);
  /** Zoom level from 0 (minimum) to 1 (maximum), for a slider. */
  level = $state(0);
  /** Pixels of the original; null for two pages. */
  size: PictureSize | null = $state.raw(null);
  /** Pixels of what is displayed where these are too few; null otherwise. */
  copy: PictureSize | null = $state.raw(null);
  /** Why the pixels of the original are not displayed, or null while they are loaded. */
  reason: string | null = $state(null);
  /** Quarter turns of the view, clockwise. */
  turns = $state(0);
  /** Where the pictures are on the screen, in pixels of the element. */
  boxes: Crop[] = $state.raw([]);
  /** Percent of what the picture has. */
  brightness = $state(100);
  contrast = $state(100);
  /** Called when something else of the picture is seen. */
  onmove: () => void = () => {};
  readonly #viewer: OpenSeadragon.Viewer;
  #leavesRoom = false;
  /** Aborted when something else is opened. */
  #opening = new AbortController();
  /** What is displayed, from left to right, each with its original where that has more pixels. */
  #shown: (LoadedPicture & { original: TiledOriginal | null })[] = [];
  /** Aborted when something else is displayed. Null until the tiles are asked for. */
  #tiles: AbortController | null = null;

  constructor(element: HTMLElement, navigatorElement: HTMLElement) {
    this.#viewer = OpenSeadragon({
      element,
      navigatorElement,
      showNavigator: true,
      showNavigationControl: false,
      // In the window, pictures have another origin: only the canvas drawer renders them.
      drawer: 'canvas',
      crossOriginPolicy: false,
      silenceMultiImageWarnings: true,
      animationTime: prefersReducedMotion() ? 0 : 0.35,
      blendTime: 0,
      tabIndex: -1,
      maxZoomPixelRatio: 16,
      // Tiles are chosen by pixels of the page, of which one may be several pixels of the screen.
      minPixelRatio: 0.49 / devicePixelRatio,
      minZoomImageRatio: 0.7,
      visibilityRatio: 0.4,
      viewportMargins: MARGINS,
      gestureSettingsMouse: { clickToZoom: false, dblClickToZoom: true },
      gestureSettingsTouch: { clickToZoom: false, dblClickToZoom: true },
    });
    // To hide seams, tiles would be drawn one pixel too large, and so be blurred.
    Object.assign(this.#viewer.drawer, { minimumOverlapRequired: () => false });
    // The viewer handles keys.
    this.#viewer.addHandler('canvas-key', (event) => (event.preventDefaultAction = true));
    for (const name of ['animation', 'animation-finish', 'resize', 'update-viewport'] as const) {
      this.#viewer.addHandler(name, () => this.measure());
    }
    this.#viewer.addHandler('animation-finish', () => this.snap());
  }

  /** Displays pictures from left to right, turned; the former ones stay until they are loaded. */
  async open(pictures: ZoomPicture[], turns = 0): Promise<void> {
    this.#opening.abort();
    const { signal } = (this.#opening = new AbortController());
    this.state = 'loading';
    try {
      const loaded = await Promise.all(pictures.map((picture) => loadPicture(picture, signal)));
      if (signal.aborted) return;
      this.forget();
      this.#shown = loaded.map((one, at) => {
        const picture = pictures[at]!;
        return { ...one, original: picture.url === null ? null : picture.original };
      });
      this.layOut(turns);
    } catch {
      if (!signal.aborted) this.state = 'failed';
    }
  }

  private layOut(turns: number): void {
    const { viewport } = this.#viewer;
    let x = 0;
    const items = this.#shown.map(({ tileSource, copy }) => {
      const item = { tileSource, x, y: 0, height: 1 };
      x += copy.width / copy.height + GUTTER;
      return item;
    });
    const [first, second] = this.#shown;
    this.size = first && !second ? first.size : null;
    this.#viewer.addOnceHandler('open', () => {
      this.turns = turns % 4;
      viewport.setRotation(90 * this.turns, true);
      this.setMargins();
      viewport.goHome(true);
      this.state = 'shown';
      this.measure();
    });
    this.#viewer.open(items);
  }

  private measure(): void {
    const { viewport } = this.#viewer;
    const [first] = this.#shown;
    const whole = this.zoomOfPixels();
    if (!first || !whole) return;
    const zoom = viewport.getZoom(true);
    this.percent = Math.round((zoom / whole) * 100);
    if ((zoom / whole) * first.size.width > first.copy.width * 1.01) this.refine();
    const [least, most] = [viewport.getMinZoom(), viewport.getMaxZoom()];
    this.level = Math.log(zoom / least) / Math.log(most / least) || 0;
    this.boxes = this.#shown.flatMap((_, at) => this.boxOf(at) ?? []);
    this.onmove();
  }

  /** Where the first picture is. */
  get box(): Crop | null {
    return this.boxes[0] ?? null;
  }

  private boxOf(at: number): Crop | null {
    const bounds = this.#viewer.world?.getItemAt(at)?.getBounds();
    if (!bounds) return null;
    const corners = [bounds.getTopLeft(), bounds.getBottomRight()];
    const [one, other] = corners.map((corner) => this.#viewer.viewport.pixelFromPoint(corner, true));
    if (!one || !other) return null;
    const [x, y] = [Math.min(one.x, other.x), Math.min(one.y, other.y)];
    return { x, y, width: Math.abs(one.x - other.x), height: Math.abs(one.y - other.y) };
  }

  /** The zoom at which a pixel of the screen shows a pixel of the original; null before something is displayed. */
  private zoomOfPixels(): number | null {
    const image = this.#viewer.world?.getItemAt(0);
    const [first] = this.#shown;
    if (!image || !first) return null;
    const screen = this.#viewer.viewport.getContainerSize().x * devicePixelRatio;
    return first.size.width / (image.getBounds().width * screen);
  }

  /** Adds the tiles of the originals, once what is displayed has too few pixels for the zoom. */
  private refine(): void {
    if (this.#tiles) return;
    const { signal } = (this.#tiles = new AbortController());
    this.#shown.forEach(({ original, copy }, at) => {
      if (!original || copy.width >= original.width) return;
      this.copy ??= copy;
      awaitTiles(original, signal).then(
        (tiles) => {
          const source = tileSource(tiles);
          const image = this.#viewer.world.getItemAt(at);
          if (signal.aborted || !image) return;
          if (!source) this.reason = tiles.reason ?? '';
          else {
            const { x, width } = image.getBounds();
            this.#viewer.addTiledImage({
              tileSource: source,
              x,
              y: 0,
              width,
              success: () => (this.copy = null),
            });
          }
        },
        () => !signal.aborted && (this.reason = ''),
      );
    });
  }

  private forget(): void {
    this.#tiles?.abort();
    this.#tiles = null;
    this.copy = null;
    this.reason = null;
  }

  /** Moves the picture onto whole pixels of the screen, so that none is blurred at the original size. */
  private snap(): void {
    const { viewport, world } = this.#viewer;
    const image = world?.getItemAt(0);
    const whole = this.zoomOfPixels();
    if (!image || !whole || Math.abs(viewport.getZoom(true) / whole - 1) > 1e-6) return;
    const corner = viewport.pixelFromPoint(image.getBounds().getTopLeft(), true).times(devicePixelRatio);
    const off = new OpenSeadragon.Point(corner.x - Math.round(corner.x), corner.y - Math.round(corner.y));
    if (Math.max(Math.abs(off.x), Math.abs(off.y)) < 0.001) return;
    viewport.panBy(viewport.deltaPointsFromPixels(off.divide(devicePixelRatio), true), true);
  }

  zoomIn(): void {
    this.zoomBy(ZOOM_STEP);
  }

  zoomOut(): void {
    this.zoomBy(1 / ZOOM_STEP);
  }

  private zoomBy(factor: number): void {
    this.#viewer.viewport.zoomBy(factor);
    this.#viewer.viewport.applyConstraints();
  }

  zoomToLevel(level: number): void {
    const { viewport } = this.#viewer;
    const [least, most] = [viewport.getMinZoom(), viewport.getMaxZoom()];
    viewport.zoomTo(least * (most / least) ** level);
    viewport.applyConstraints();
  }

  fit(): void {
    this.#viewer.viewport?.goHome();
  }

  /** Zooms to the original size. */
  zoomToPixels(): void {
    const zoom = this.zoomOfPixels();
    if (zoom) this.#viewer.viewport.zoomTo(zoom);
  }

  /** Turns the view by a quarter, clockwise or back. What is seen as a whole stays so. */
  rotate(by: 1 | -1): void {
    const { viewport } = this.#viewer;
    const isWhole = viewport.getZoom() <= viewport.getHomeZoom() * 1.01;
    this.turns = (this.turns + by + 4) % 4;
    viewport.setRotation(viewport.getRotation() + 90 * by);
    this.setMargins();
    if (isWhole) viewport.goHome();
  }

  /** Leaves room around the whole picture for what is dragged there, or takes it away. */
  leaveRoom(isLeft: boolean): void {
    this.#leavesRoom = isLeft;
    this.setMargins();
  }

  private setMargins(): void {
    const areEven = this.#leavesRoom || this.turns !== 0;
    this.#viewer.viewport?.setMargins(areEven ? EVEN_MARGINS : MARGINS);
  }

  /** Displays but a part of a picture of this size; null for all of it. */
  showPart(part: Crop | null, whole: PictureSize): void {
    const { viewport, world } = this.#viewer;
    for (let at = 0; at < world.getItemCount(); at += 1) {
      const image = world.getItemAt(at);
      const scale = image.getContentSize().x / whole.width;
      image.setClip(part && scaledRect(part, scale));
    }
    const first = world.getItemAt(0);
    if (first && part) viewport.fitBounds(first.getClippedBounds());
  }

  /** What is seen of the first picture, in pixels of a picture of this size; null: all of it. */
  seenPart(whole: PictureSize): Crop | null {
    const { viewport, world } = this.#viewer;
    const bounds = world?.getItemAt(0)?.getBounds();
    if (!bounds) return null;
    const screen = viewport.getContainerSize();
    // Its edges can be dragged: they are within the stage, above the zoom bar.
    const corners = [
      new OpenSeadragon.Point(SEEN_INSET, ZOOM_BAR),
      new OpenSeadragon.Point(screen.x - SEEN_INSET, screen.y - ZOOM_BAR),
    ].map((corner) => viewport.pointFromPixel(corner, true).minus(bounds.getTopLeft()));
    const [xs, ys] = [corners.map(({ x }) => x / bounds.width), corners.map(({ y }) => y / bounds.height)];
    const [left, right] = [Math.max(0, Math.min(...xs)), Math.min(1, Math.max(...xs))];
    const [top, bottom] = [Math.max(0, Math.min(...ys)), Math.min(1, Math.max(...ys))];
    if (left >= right || top >= bottom || (right - left > 0.95 && bottom - top > 0.95)) return null;
    const [x, y] = [Math.round(left * whole.width), Math.round(top * whole.height)];
    const [width, height] = [Math.round(right * whole.width) - x, Math.round(bottom * whole.height) - y];
    return width > 0 && height > 0 ? { x, y, width, height } : null;
  }

  /** Moves what is displayed so far that a part of a picture is seen. The part is of its width and height. */
  reveal(at: number, { x, y, width, height }: Crop): void {
    const { viewport, world } = this.#viewer;
    const bounds = world?.getItemAt(at)?.getBounds();
    if (!bounds) return;
    const center = new OpenSeadragon.Point(
      bounds.x + (x + width / 2) * bounds.width,
      bounds.y + (y + height / 2) * bounds.height,
    );
    if (viewport.getBounds().containsPoint(center)) return;
    viewport.panTo(center);
    viewport.applyConstraints();
  }

  /** Null before something is displayed. */
  get view(): PictureView | null {
    const { viewport, world } = this.#viewer;
    const bounds = world?.getItemAt(0)?.getBounds();
    if (!bounds) return null;
    const middle = viewport.getCenter(true);
    return {
      x: (middle.x - bounds.x) / bounds.width,
      y: (middle.y - bounds.y) / bounds.height,
      zoom: viewport.getZoom(true) / viewport.getHomeZoom(),
    };
  }

  /** Shows of this picture what is seen of another. */
  follow({ x, y, zoom }: PictureView): void {
    const { viewport, world } = this.#viewer;
    const bounds = world?.getItemAt(0)?.getBounds();
    if (!bounds) return;
    const middle = new OpenSeadragon.Point(bounds.x + x * bounds.width, bounds.y + y * bounds.height);
    viewport.zoomTo(zoom * viewport.getHomeZoom(), undefined, true);
    viewport.panTo(middle, true);
  }

  /** Pans by fractions of the viewport. */
  pan(x: number, y: number): void {
    const { viewport } = this.#viewer;
    const bounds = viewport.getBounds();
    viewport.panBy(new OpenSeadragon.Point(x * bounds.width, y * bounds.height));
    viewport.applyConstraints();
  }

  close(): void {
    this.#opening.abort();
    this.forget();
    this.#viewer.destroy();
  }
}
