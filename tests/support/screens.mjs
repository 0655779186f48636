const CELL = '[role="cell"]';
const FIELD = '[data-testid="field-title"]';
const PICTURE = '[data-testid="picture-stage"][data-state="shown"]';
const SHEET = 'dialog h2';

const viewer = ({ nid }, shown) => [`/node/${nid}?view=all&page=1`, shown];

/**
 * Every screen that an address opens: its address, and what stands there when it is whole, in whatever language.
 * `made` is what `furnish` answered.
 */
export const screensOf = (made) => ({
  items: ['/?view=all', '[role="gridcell"]'],
  unpublished: ['/?view=unpublished', '#pane-items h2'],
  item: [`/node/${made.text.nid}?view=all`, FIELD],
  files: [`/node/${made.text.nid}?view=all&tab=files`, '[data-testid="media"]'],
  history: [`/node/${made.text.nid}/revisions`, '[role="tabpanel"] ol li'],
  api: [`/node/${made.text.nid}?view=all&tab=api`, '[role="tabpanel"] code[tabindex]'],
  'no-picture': [`/node/${made.torn.nid}?view=all`, '[data-testid="no-picture"]'],
  delete: [`/node/${made.text.nid}/delete`, SHEET],
  'new-item': ['/node?node=0', '[data-testid="create"]'],
  'viewer-pdf': viewer(made.pdf, PICTURE),
  'viewer-film': viewer(made.film, '[data-testid="player-stage"]'),
  'viewer-sound': viewer(made.sound, '[data-testid="player-stage"]'),
  'viewer-text': viewer(made.text, '[data-testid="written"]'),
  'viewer-json': viewer(made.json, '[data-testid="written"]'),
  'viewer-xml': viewer(made.xml, '[data-testid="written"]'),
  'viewer-unknown': viewer(made.unknown, '[data-testid="not-shown"]'),
  'viewer-torn': viewer(made.torn, '[data-testid="not-shown"]'),
  'viewer-leaves': viewer(made.leaves, PICTURE),
  trash: ['/?view=trash', CELL],
  media: [`/media/${made.text.mid}`, '[data-testid="field-name"]'],
  'media-list': ['/admin/content/media', CELL],
  'add-media': ['/media/add', '#pane-items li a'],
  vocabularies: ['/taxonomy/term?vocabulary=islandora_models', '#pane-items main, #pane-items li'],
  term: [`/taxonomy/term/${made.term}`, '[data-testid="field-name"]'],
  'new-term': ['/taxonomy/term?new', '[data-testid="new-term"]'],
  profile: ['/user/1', '#pane-items select'],
  people: ['/admin/people', CELL],
  'share-ended': ['/share#ended', '[data-testid="link-failed"]'],
  roles: ['/admin/roles', CELL],
  role: ['/admin/roles/editor', '[data-testid="role"] table'],
  'new-role': ['/admin/roles?new', '[data-testid="role"] table'],
  'new-person': ['/admin/people?new', '[data-testid="new-person"]'],
  person: ['/user/2/edit', '[data-testid="person"]'],
  'disable-person': ['/user/2/cancel', SHEET],
  server: ['/admin/server', '[data-testid="lan-switch"]'],
  watched: [`/admin/watched/${made.folder}`, '[data-testid="rule-sentence"]'],
  'watched-rule': ['/admin/watched?new', SHEET],
  activity: ['/admin/activity', CELL],
  report: ['/admin/report', '[data-testid="totals"]'],
  health: ['/admin/health', '[data-testid="backup-folder"]'],
  'not-found': ['/nowhere', '[role="alert"]'],
});

/** What keys open upon the list of items: the keys, and what stands there then. */
export const OPENED_BY_KEYS = {
  table: ['Control+2', '[role="row"] [role="gridcell"]'],
  thumbnails: ['Control+1', '[role="gridcell"]'],
  keys: ['?', SHEET],
  palette: ['Control+k', '[data-testid="palette"]'],
};

/** Goes to a screen by its address. */
export async function openScreen({ page, baseUrl }, [path, shown]) {
  await page.goto(`${baseUrl}${path}`);
  await page.locator(shown).first().waitFor();
}

/** Opens what keys open. */
export async function openByKeys({ page }, [keys, shown]) {
  await page.keyboard.press(keys);
  await page.locator(shown).first().waitFor();
}
