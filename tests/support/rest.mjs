import assert from 'node:assert/strict';

/** Speaks to a server by Basic, as a script on the network does: as its administrator unless another name is said. */
export class Rest {
  constructor(baseUrl, password, name = 'admin') {
    this.baseUrl = baseUrl;
    this.authorization = `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;
  }

  /** Sends one request; a path or a whole address. */
  send(method, address, { headers = {}, body } = {}) {
    return fetch(new URL(address, this.baseUrl), {
      method,
      headers: { Authorization: this.authorization, ...headers },
      body,
    });
  }

  /** Makes a resource and returns it. */
  async create(path, fields) {
    const headers = { 'Content-Type': 'application/json' };
    const response = await this.send('POST', path, { headers, body: JSON.stringify(fields) });
    assert.equal(response.status, 201, `POST ${path}: ${await response.clone().text()}`);
    return response.json();
  }

  createItem(title, fields) {
    return this.create('/node?_format=json', {
      type: [{ target_id: 'islandora_object' }],
      title: [{ value: title }],
      ...fields,
    });
  }

  createTerm(vocabulary, name, fields = {}) {
    return this.create('/taxonomy/term?_format=json', {
      ...fields,
      vid: [{ target_id: vocabulary }],
      name: [{ value: name }],
    });
  }

  /** The number of a term that the repository knows by its name. */
  async term(vocabulary, name) {
    const query = new URLSearchParams({ vocabulary, q: name });
    const { terms } = await (await this.send('GET', `/api/v1/terms?${query}`)).json();
    return terms.find((term) => term.name === name).tid;
  }

  /** Uploads a file as the media of an item and returns the media's address. */
  async upload(nid, mediaType, use, uri, mime, bytes) {
    const headers = { 'Content-Type': mime, 'Content-Location': uri };
    const path = `/node/${nid}/media/${mediaType}/${use}`;
    const response = await this.send('PUT', path, { headers, body: bytes });
    assert.equal(response.status, 201, `PUT ${path}: ${await response.clone().text()}`);
    return response.headers.get('location');
  }

  /** The links of a resource (RFC 8288), in order: target, relation and title. */
  async links(path) {
    const response = await this.send('GET', path);
    assert.equal(response.status, 200, path);
    const header = response.headers.get('link') ?? '';
    return [...header.matchAll(/<([^>]*)>; rel="([^"]*)"(?:; title="((?:[^"\\]|\\.)*)")?/g)].map(
      ([, target, relation, title]) => ({ target, relation: relation.split('/').at(-1), title }),
    );
  }
}
