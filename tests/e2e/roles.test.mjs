import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessible } from '../support/axe.mjs';
import { openBrowser, signIn } from '../support/browser.mjs';
import { Rest } from '../support/rest.mjs';
import { serve } from '../support/serve.mjs';

async function openRoles(t) {
  const { baseUrl, password } = await serve(t);
  const page = await openBrowser(t);
  await signIn(page, baseUrl, password);
  await page.getByTestId('session-menu').click();
  await page.getByRole('menuitem', { name: 'Roles' }).click();
  await page.getByRole('table', { name: 'Roles' }).waitFor();
  const roleOf = async (name) => {
    const answer = await page.request.get(`${baseUrl}/api/v1/roles/${name}`);
    return answer.status() === 200 ? await answer.json() : null;
  };
  return { page, baseUrl, roleOf, rest: new Rest(baseUrl, password) };
}

test('a copy of a role is made, changed and deleted, and each of it undone', async (t) => {
  const { page, roleOf } = await openRoles(t);
  await page.getByRole('link', { name: 'Editor' }).click();
  await page.getByRole('button', { name: 'Duplicate…' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Editor');
  await page.getByRole('button', { name: 'Create role' }).click();
  await page.getByText('There is already a role Editor.').waitFor();
  await page.getByRole('textbox', { name: 'Name' }).fill('Cataloguers');
  await page.getByRole('checkbox', { name: 'Delete all: All' }).first().uncheck();
  await accessible(page, 'a new role');
  await page.getByRole('button', { name: 'Create role' }).click();
  await page.getByText('Created the role “Cataloguers”').waitFor();
  const made = await roleOf('cataloguers');
  assert.ok(made.permissions.includes('edit any page content'));
  assert.ok(!made.permissions.some((name) => /^delete any \w+ content$/.test(name)));

  await page.getByRole('link', { name: 'Cataloguers' }).click();
  await page.getByRole('checkbox', { name: 'Manage redirects' }).check();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved the role “Cataloguers”').waitFor();
  assert.ok((await roleOf('cataloguers')).permissions.includes('administer redirects'));
  await page.keyboard.press('Control+z');
  await page.getByText('Undone: ').waitFor();
  await page.getByRole('checkbox', { name: 'Manage redirects', checked: false }).waitFor();
  assert.deepEqual(await roleOf('cataloguers'), made);

  await page.getByRole('button', { name: 'Delete…' }).click();
  await accessible(page, 'the question about a role');
  await page.getByRole('button', { name: 'Delete role' }).click();
  await page.getByText('Deleted the role “Cataloguers”').waitFor();
  assert.equal(await roleOf('cataloguers'), null);
  await page.getByRole('link', { name: 'Cataloguers' }).waitFor({ state: 'detached' });
  await page.keyboard.press('Control+z');
  await page.getByRole('link', { name: 'Cataloguers' }).waitFor();
  assert.deepEqual(await roleOf('cataloguers'), made);
});

test('a role that somebody has, or every repository, says why it stays', async (t) => {
  const { page, baseUrl, rest } = await openRoles(t);
  await rest.create('/api/v1/users', { name: 'mira', password: 'first of Mira', roles: ['editor'] });
  await page.getByRole('link', { name: 'Editor' }).click();
  await page.getByRole('button', { name: 'Delete…' }).click();
  await page.getByText('1 person has this role. Take it from them before you delete it.').waitFor();
  assert.ok(await page.getByRole('button', { name: 'Delete role' }).isDisabled());
  await page.keyboard.press('Escape');
  await page.goto(`${baseUrl}/admin/roles/administrator`);
  await page.getByText('This role has every permission').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Delete…' }).count(), 0);
  await page.goto(`${baseUrl}/admin/roles/nobody`);
  await page.getByText('Page not found').waitFor();
});
