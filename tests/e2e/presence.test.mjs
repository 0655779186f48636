import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessible } from '../support/axe.mjs';
import { openBrowser, signIn } from '../support/browser.mjs';
import { Rest } from '../support/rest.mjs';
import { serve } from '../support/serve.mjs';

const SECRET = 'first of Mira';

test('two people see that they have the same item open, and which field the other edits', async (t) => {
  const { baseUrl, password } = await serve(t);
  const rest = new Rest(baseUrl, password);
  const model = await rest.term('islandora_models', 'Image');
  const item = await rest.createItem('Quay', { field_model: [{ target_id: model }] });
  await rest.create('/api/v1/users', { name: 'mira', password: SECRET, roles: ['editor'] });
  const address = `${baseUrl}/node/${item.nid[0].value}?view=all`;

  const admin = await openBrowser(t);
  await signIn(admin, baseUrl, password);
  await admin.goto(address);
  const extent = (page) => page.locator('#pane-inspector [data-field="field_extent"]');
  await extent(admin).waitFor();
  assert.equal(await admin.getByTestId('colleagues').count(), 0);

  const mira = await openBrowser(t);
  await signIn(mira, baseUrl, SECRET, 'mira');
  await mira.goto(address);
  await mira.getByText('Also opened by admin').waitFor();
  await admin.getByText('Also opened by mira').waitFor();

  await extent(mira).getByRole('textbox').pressSequentially('2 sheets');
  await extent(admin).getByText('Being edited by mira').waitFor();
  await accessible(admin, 'a field that somebody else edits');
  await mira.keyboard.press('Tab');
  await extent(admin).getByText('Being edited by mira').waitFor({ state: 'detached' });
  assert.equal(await extent(admin).getByRole('textbox').inputValue(), '2 sheets');

  await mira.close();
  await admin.getByText('Also opened by mira').waitFor({ state: 'detached' });
});
