const LIGHT_AND_DARK = ['light', 'dark'];
const SIZES = [
  { width: 1280, height: 800 },
  { width: 1440, height: 900 },
  { width: 1920, height: 1080 },
];
const TELEPHONE = { width: 320, height: 640 };

/** Text twice as large, as a reader sets it for all pages. */
const LARGE_TEXT = ['--blink-settings=defaultFontSize=32,defaultFixedFontSize=26'];

const everything = SIZES.flatMap((viewport) =>
  LIGHT_AND_DARK.map((colorScheme) => ({
    name: `${viewport.width}-${colorScheme}`,
    screens: 'all',
    options: { viewport, colorScheme },
  })),
);

/**
 * How pages are looked at: `all` scenes in three sizes, light and dark; the screens that an address opens once more as
 * other people see them.
 */
export const LOOKS = [
  ...everything,
  { name: 'german', screens: 'once more', options: { viewport: SIZES[0], locale: 'de-DE' } },
  { name: 'large-text', screens: 'once more', options: { viewport: SIZES[0], args: LARGE_TEXT } },
  {
    name: 'telephone',
    screens: 'once more',
    options: { viewport: TELEPHONE, hasTouch: true, isMobile: true },
  },
  { name: 'contrast', screens: 'once more', options: { viewport: SIZES[0], forcedColors: 'active' } },
];
