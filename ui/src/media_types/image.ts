import { MODEL, type Kind } from './kind';

export const image: Kind = {
  mediaType: 'image',
  modelUri: MODEL.image,
  mimes: { png: 'image/png', gif: 'image/gif', jpg: 'image/jpeg', jpeg: 'image/jpeg' },
};
