import type { NamedTerm, TermRole } from '../api/types';
import type { IconName } from './icons';

const BY_ROLE: Partial<Record<TermRole, IconName>> = {
  image: 'image',
  audio: 'audio',
  video: 'video',
  document: 'document',
  binary: 'binary',
  collection: 'folder',
  paged: 'book',
  newspaper: 'book',
  issue: 'book',
};

export function modelIcon(model: Pick<NamedTerm, 'role'> | null | undefined): IconName {
  return (model?.role && BY_ROLE[model.role]) || 'file';
}
