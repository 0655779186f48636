import type { NamedTerm } from '../api/types';
import { MODEL } from '../media_types/kind';
import type { IconName } from './icons';

const BY_MODEL: Record<string, IconName> = {
  [MODEL.image]: 'image',
  [MODEL.audio]: 'audio',
  [MODEL.video]: 'video',
  [MODEL.document]: 'document',
  [MODEL.binary]: 'binary',
  [MODEL.collection]: 'folder',
  [MODEL.paged]: 'book',
  'https://schema.org/Newspaper': 'book',
  'https://schema.org/PublicationIssue': 'book',
};

export function modelIcon(model: NamedTerm | null | undefined): IconName {
  return (model?.uri && BY_MODEL[model.uri]) || 'file';
}
