import OpenSeadragon from 'openseadragon';

/** Zoom factor of one key press. */
const ZOOM_STEP = 1.4;
/** Height that the zoom bar covers, in pixels. */
const ZOOM_BAR = 64;
/** Gap between two pages, in page heights. */
const GUTTER = 0.01;

const prefersReducedMotion = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Zooms and pans a picture, or two facing pages. */
export class DeepZoom {
  state: 'loading' | 'shown' | 'failed' = $state('loading');
  /** Percent of the original size. */
  percent = $state(0);
  /** Zoom level from 0 (minimum) to 1 (maximum), for a slider. */
  level = $state(0);
  /** Pixels of the picture; null for two pages. */
  size: { width: number; height: number } | null = $state.raw(null);
  readonly #viewer: OpenSeadragon.Viewer;
  #openCount = 0;

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
      minZoomImageRatio: 0.7,
      visibilityRatio: 0.4,
      // The whole picture stands above the zoom bar.
      viewportMargins: { left: 0, top: 0, right: 0, bottom: ZOOM_BAR },
      gestureSettingsMouse: { clickToZoom: false, dblClickToZoom: true },
      gestureSettingsTouch: { clickToZoom: false, dblClickToZoom: true },
    });
    // The viewer handles keys.
    this.#viewer.addHandler('canvas-key', (event) => (event.preventDefaultAction = true));
    for (const name of ['animation', 'animation-finish', 'resize', 'update-viewport'] as const) {
      this.#viewer.addHandler(name, () => this.measure());
    }
  }

  /** Displays pictures from left to right; the former ones stay until they are loaded. */
  async open(urls: string[]): Promise<void> {
    const turn = (this.#openCount += 1);
    this.state = 'loading';
    try {
      const images = await Promise.all(urls.map(loadImage));
      if (turn !== this.#openCount) return;
      this.layOut(images);
    } catch {
      if (turn === this.#openCount) this.state = 'failed';
    }
  }

  private layOut(images: HTMLImageElement[]): void {
    const { viewport } = this.#viewer;
    let x = 0;
    const items = images.map(({ src: url, naturalWidth, naturalHeight }) => {
      const item = { tileSource: { type: 'image', url }, x, y: 0, height: 1 };
      x += naturalWidth / naturalHeight + GUTTER;
      return item;
    });
    const [first, second] = images;
    this.size = first && !second ? { width: first.naturalWidth, height: first.naturalHeight } : null;
    this.#viewer.addOnceHandler('open', () => {
      viewport.setRotation(0, true);
      viewport.goHome(true);
      this.state = 'shown';
      this.measure();
    });
    this.#viewer.open(items);
  }

  private measure(): void {
    const image = this.#viewer.world?.getItemAt(0);
    if (!image) return;
    const { viewport } = this.#viewer;
    const zoom = viewport.getZoom(true);
    this.percent = Math.round(image.viewportToImageZoom(zoom) * 100);
    const [least, most] = [viewport.getMinZoom(), viewport.getMaxZoom()];
    this.level = Math.log(zoom / least) / Math.log(most / least) || 0;
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
    this.#viewer.viewport.goHome();
  }

  /** Zooms to the original size. */
  zoomToPixels(): void {
    const image = this.#viewer.world.getItemAt(0);
    if (image) this.#viewer.viewport.zoomTo(image.imageToViewportZoom(1));
  }

  rotate(): void {
    const { viewport } = this.#viewer;
    viewport.setRotation(viewport.getRotation() + 90);
  }

  /** Pans by fractions of the viewport. */
  pan(x: number, y: number): void {
    const { viewport } = this.#viewer;
    const bounds = viewport.getBounds();
    viewport.panBy(new OpenSeadragon.Point(x * bounds.width, y * bounds.height));
    viewport.applyConstraints();
  }

  close(): void {
    this.#openCount += 1;
    this.#viewer.destroy();
  }
}

/** Loads a picture: its size must be known before two are laid out. */
function loadImage(url: string): Promise<HTMLImageElement> {
  return new Promise((done, failed) => {
    const image = new Image();
    image.onload = () => done(image);
    image.onerror = () => failed(new Error(url));
    image.src = url;
  });
}
