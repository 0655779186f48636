import { MODEL, type Kind } from './kind';

export const audio: Kind = {
  mediaType: 'audio',
  modelUri: MODEL.audio,
  mimes: { mp3: 'audio/mpeg', wav: 'audio/wav', aac: 'audio/aac' },
};
