import { repository } from '../../state/repository.svelte';
import { useTerm } from '../../media_display/file_kinds';
import type { ContentModel, Field, NamedTerm, Term, WatchCounts, WatchRule } from '../../api/types';

/** The default rule of the server. */
export function defaultRule(): WatchRule {
  return {
    path: '',
    collection: null,
    subfolders: 'ignored',
    model: 'auto',
    media_type: 'auto',
    media_use: useTerm(repository.model, 'original_file')?.uri ?? '',
    scheme: null,
    owner: 'admin',
    published: false,
    template: {},
    name_pattern: null,
    create_terms: false,
    afterwards: 'leave',
    duplicates: 'ingest',
    sidecar: 'any',
    sidecar_wait_seconds: 60,
    settle_seconds: 3,
    poll: 'auto',
    poll_seconds: 30,
  };
}

/** The last segment of a path. */
export function folderName(path: string): string {
  return (
    path
      .split(/[/\\]/)
      .filter((part) => part !== '')
      .at(-1) ?? path
  );
}

/** Number of files that wait. */
export function waitingCount(counts: WatchCounts): number {
  return counts.seen + counts.settled + counts.ingesting;
}

export type FolderStatus = 'problem' | 'paused' | 'failures' | 'working' | 'watching';

/** The status of a folder, the most urgent one first. */
export function folderStatus(folder: {
  paused: boolean;
  problem?: string | null;
  counts: WatchCounts;
}): FolderStatus {
  if (folder.problem) return 'problem';
  if (folder.paused) return 'paused';
  if (folder.counts.failed > 0) return 'failures';
  return waitingCount(folder.counts) > 0 ? 'working' : 'watching';
}

/** A template value, as a row of the form. */
export interface TemplateLine {
  field: string;
  text: string;
  /** A text that is no term yet. It is no part of the rule. */
  typed?: string | null;
}

export function templateLines(template: WatchRule['template']): TemplateLine[] {
  return Object.entries(template).flatMap(([field, texts]) =>
    (Array.isArray(texts) ? texts : [texts]).map((text) => ({ field, text })),
  );
}

/** Makes a template of rows. Blank rows are left out. */
export function toTemplate(lines: TemplateLine[]): WatchRule['template'] {
  const template: Record<string, string[]> = {};
  for (const { field, text } of lines) {
    if (text.trim() !== '') (template[field] ??= []).push(text.trim());
  }
  return Object.fromEntries(
    Object.entries(template).map(([field, texts]) => [field, texts.length === 1 ? (texts[0] ?? '') : texts]),
  );
}

/** Fields that a template may contain. */
export function templateFields(model: ContentModel): Field[] {
  const fields = model.node_types[model.bundle_roles.item]?.fields ?? [];
  return fields.filter(
    ({ name, type, derived }) =>
      !derived &&
      ![model.field_roles.model, model.field_roles.member_of].includes(name) &&
      !['file', 'image'].includes(type),
  );
}

/** The name of a term in a rule, unambiguous among `among`. */
export function termName(term: Term, field: Field, among: Term[]): string {
  const alike = among.filter(
    ({ name, vocabulary }) =>
      vocabulary === term.vocabulary && name.toLowerCase() === term.name.toLowerCase(),
  );
  if (alike.length > 1) return String(term.tid);
  return qualifiedName(term.vocabulary, term.name, field);
}

/** A term name, with its vocabulary where a field allows several. */
export function qualifiedName(vocabulary: string, name: string, field: Field): string {
  return (field.target_bundles ?? []).length > 1 ? `${vocabulary}:${name}` : name;
}

/** The key of a media use or model in a rule. */
export function termKey(term: NamedTerm): string {
  return term.uri ?? term.name;
}

/** Finds the term of a key. */
export function findTerm(terms: NamedTerm[], word: string): NamedTerm | undefined {
  return terms.find(
    (term) =>
      term.uri === word || String(term.tid) === word || term.name.toLowerCase() === word.toLowerCase(),
  );
}

/** Splits the text of a linked agent. */
export function parseAgent(text: string): { relator: string; agent: string } {
  const match = /^(relators:[^:]+):(.*)$/s.exec(text);
  return match
    ? { relator: match[1] ?? '', agent: match[2] ?? '' }
    : { relator: 'relators:ctb', agent: text };
}
