import { absoluteUrl, authHeaders, requestResource } from './client';
import type { Colleague } from './types';

/** The name of this page among those that have an item open. */
const PAGE = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16)).join('-');

const pathOf = (nid: number) => `/api/v1/items/${nid}/presence/${PAGE}`;

/** Says that this page has an item open and edits these fields of it; who else has it open. */
export async function openItem(nid: number, fields: string[]): Promise<Colleague[]> {
  const { body } = await requestResource<{ colleagues: Colleague[] }>('PUT', pathOf(nid), {
    body: { fields },
  });
  return body.colleagues;
}

/** Says that this page has the item open no longer, also while the page is left. */
export const leaveItem = (nid: number) =>
  fetch(absoluteUrl(pathOf(nid)), { method: 'DELETE', headers: authHeaders('DELETE'), keepalive: true });
