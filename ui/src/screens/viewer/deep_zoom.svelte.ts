import OpenSeadragon from 'openseadragon';

/** A step of the zoom keys. */
const STEP = 1.4;
/** Between two pages of an open book, in page heights. */
const GUTTER = 0.01;

const reduced = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** One picture, or the two pages of an open book, to be moved and looked at closely. */
export class DeepZoom {
  state: 'loading' | 'shown' | 'failed' = $state('loading');
  /** Of its own pixels; 100 is 1 : 1. */
  percent = $state(0);
  /** From 0 (as small as it gets) to 1, for a slider. */
  share = $state(0);
  /** Pixels of the picture; null of two. */
  size: { width: number; height: number } | null = $state.raw(null);
  readonly #viewer: OpenSeadragon.Viewer;
  #opening = 0;

  constructor(element: HTMLElement, navigatorElement: HTMLElement) {
    this.#viewer = OpenSeadragon({
      element,
      navigatorElement,
      showNavigator: true,
      showNavigationControl: false,
      // Pictures of the window come from another origin: only a plain canvas takes them.
      drawer: 'canvas',
      crossOriginPolicy: false,
      silenceMultiImageWarnings: true,
      animationTime: reduced() ? 0 : 0.35,
      blendTime: 0,
      tabIndex: -1,
      maxZoomPixelRatio: 16,
      minZoomImageRatio: 0.7,
      visibilityRatio: 0.4,
      gestureSettingsMouse: { clickToZoom: false, dblClickToZoom: true },
      gestureSettingsTouch: { clickToZoom: false, dblClickToZoom: true },
    });
    // The keys are those of the whole viewer.
    this.#viewer.addHandler('canvas-key', (event) => (event.preventDefaultAction = true));
    for (const name of ['animation', 'animation-finish', 'resize', 'update-viewport'] as const) {
      this.#viewer.addHandler(name, () => this.measure());
    }
  }

  /** Shows pictures from left to right; what was shown stays until they are there. */
  async open(urls: string[]): Promise<void> {
    const turn = (this.#opening += 1);
    this.state = 'loading';
    try {
      const images = await Promise.all(urls.map(read));
      if (turn !== this.#opening) return;
      this.place(images);
    } catch {
      if (turn === this.#opening) this.state = 'failed';
    }
  }

  private place(images: HTMLImageElement[]): void {
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
    this.share = Math.log(zoom / least) / Math.log(most / least) || 0;
  }

  nearer(): void {
    this.zoomBy(STEP);
  }

  farther(): void {
    this.zoomBy(1 / STEP);
  }

  private zoomBy(factor: number): void {
    this.#viewer.viewport.zoomBy(factor);
    this.#viewer.viewport.applyConstraints();
  }

  zoomToShare(share: number): void {
    const { viewport } = this.#viewer;
    const [least, most] = [viewport.getMinZoom(), viewport.getMaxZoom()];
    viewport.zoomTo(least * (most / least) ** share);
    viewport.applyConstraints();
  }

  fit(): void {
    this.#viewer.viewport.goHome();
  }

  /** One pixel of the picture on one of the screen. */
  pixels(): void {
    const image = this.#viewer.world.getItemAt(0);
    if (image) this.#viewer.viewport.zoomTo(image.imageToViewportZoom(1));
  }

  turn(): void {
    const { viewport } = this.#viewer;
    viewport.setRotation(viewport.getRotation() + 90);
  }

  /** Moves what is seen by parts of the screen. */
  move(x: number, y: number): void {
    const { viewport } = this.#viewer;
    const bounds = viewport.getBounds();
    viewport.panBy(new OpenSeadragon.Point(x * bounds.width, y * bounds.height));
    viewport.applyConstraints();
  }

  close(): void {
    this.#opening += 1;
    this.#viewer.destroy();
  }
}

/** A picture that has been read. Its shape has to be known before two can lie side by side. */
function read(url: string): Promise<HTMLImageElement> {
  return new Promise((done, failed) => {
    const image = new Image();
    image.onload = () => done(image);
    image.onerror = () => failed(new Error(url));
    image.src = url;
  });
}
