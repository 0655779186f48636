/** Rules that make the titles of new items. */
import { t } from '../../texts';

/** `file`: the name of each file; `number`: the model and a number; `folder`: the name of the folder and a number. */
export type TitleRule = 'file' | 'number' | 'folder';
export const TITLE_RULES: TitleRule[] = ['file', 'number', 'folder'];

interface TitleParts {
  fromName: string;
  model: string;
  /** Innermost folder or collection; null: none. */
  folder: string | null;
  /** From 1, within the folder. */
  number: number;
}

/** The title by a rule. Without a folder, the name of the file. */
export function titleByRule(rule: TitleRule, { fromName, model, folder, number }: TitleParts): string {
  if (rule === 'number') return t.drop.numbered(model, number);
  return rule === 'folder' && folder !== null ? t.drop.numbered(folder, number) : fromName;
}
