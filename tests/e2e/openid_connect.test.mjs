import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import Provider from 'oidc-provider';
import { accessible } from '../support/axe.mjs';
import { openBrowser } from '../support/browser.mjs';
import { Rest } from '../support/rest.mjs';
import { serve } from '../support/serve.mjs';

const CLIENT = { client_id: 'isolario', client_secret: 'a secret of the client' };

/** A service of OpenID Connect whose people have groups, and a repository whose people sign in through it. */
async function withService(t, groupsOf) {
  let handle = (_, response) => response.writeHead(503).end();
  const web = createServer((request, response) => handle(request, response));
  await new Promise((listening) => web.listen(0, '127.0.0.1', listening));
  t.after(() => web.close());
  const issuer = `http://127.0.0.1:${web.address().port}`;
  const roles = '[openid_connect.roles]\narchive = ["editor"]\nvisitors = []\n';
  const config = `[openid_connect]\nissuer = "${issuer}"\nclient_id = "${CLIENT.client_id}"\nclient_secret = "${CLIENT.client_secret}"\nname = "University account"\n${roles}`;
  const served = await serve(t, config);
  const provider = new Provider(issuer, {
    clients: [{ ...CLIENT, redirect_uris: [`${served.baseUrl}/user/login/openid_connect/return`] }],
    claims: { profile: ['preferred_username', 'groups'], email: ['email'] },
    // Else the claims of scopes are given by the user info alone.
    conformIdTokenClaims: false,
    findAccount: (_, id) => ({
      accountId: id,
      claims: () => ({ sub: id, preferred_username: id, email: `${id}@example.org`, groups: groupsOf(id) }),
    }),
  });
  handle = provider.callback();
  return served;
}

/** Signs in at the service by its own pages, from the page that signs in here. */
async function signInThere(page, baseUrl, name) {
  await page.goto(`${baseUrl}/user/login`);
  await page.getByRole('link', { name: 'University account' }).click();
  await page.getByPlaceholder('Enter any login').fill(name);
  await page.getByPlaceholder('and password').fill('whatever');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

test('people sign in through a service, and their groups there give their roles', async (t) => {
  const groups = { mira: ['archive', 'choir'], otto: ['choir'] };
  const { baseUrl, password } = await withService(t, (name) => groups[name]);
  const rest = new Rest(baseUrl, password);
  const accounts = async () => (await (await rest.send('GET', '/api/v1/users')).json()).users;

  const page = await openBrowser(t);
  await page.goto(`${baseUrl}/user/login`);
  await page.getByRole('link', { name: 'University account' }).waitFor();
  await accessible(page, 'signing in through a service');
  await signInThere(page, baseUrl, 'mira');
  await page.getByRole('treeitem', { name: 'All items' }).waitFor();
  const rolesOf = (name, all) => all.find((one) => one.name === name)?.roles.map((role) => role.name);
  assert.deepEqual(rolesOf('mira', await accounts()), ['editor']);

  groups.mira = ['visitors'];
  const again = await openBrowser(t);
  await signInThere(again, baseUrl, 'mira');
  await again.getByRole('treeitem', { name: 'All items' }).waitFor();
  assert.deepEqual(rolesOf('mira', await accounts()), []);

  const other = await openBrowser(t);
  await signInThere(other, baseUrl, 'otto');
  await other.getByText('This account may not sign in here').waitFor();
  assert.equal((await accounts()).length, 2, 'the administrator and mira');
});

test('what was not asked for here lets nobody in', async (t) => {
  const { baseUrl } = await withService(t, () => ['archive']);
  const back = async (query, headers = {}) => {
    const address = `${baseUrl}/user/login/openid_connect/return?${query}`;
    const answer = await fetch(address, { redirect: 'manual', headers });
    return [answer.headers.get('location'), answer.headers.get('set-cookie')];
  };
  assert.deepEqual(await back('state=a&code=b'), ['/user/login?failed=unasked', null]);
  for (const kept of ['a', 'a.b', 'b.c.d', '..']) {
    const own = { Cookie: `OPENID=${kept}` };
    assert.deepEqual(await back('state=a&code=b', own), ['/user/login?failed=unasked', null], kept);
  }
  const made = { Cookie: 'OPENID=a.b.c' };
  assert.deepEqual(await back('state=a&code=b', made), ['/user/login?failed=refused', null]);
  const begun = await fetch(`${baseUrl}/user/login/openid_connect`, { redirect: 'manual' });
  const state = new URL(begun.headers.get('location')).searchParams.get('state');
  const cookie = { Cookie: begun.headers.get('set-cookie').split(';')[0] };
  assert.deepEqual(await back(`state=${state}&code=b`), ['/user/login?failed=unasked', null]);
  assert.deepEqual(await back(`state=${state}&code=b`, cookie), ['/user/login?failed=refused', null]);
  assert.deepEqual(await back('error=access_denied', cookie), ['/user/login?failed=refused', null]);
});
