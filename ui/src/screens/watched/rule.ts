import type { ContentModel, Field, NamedTerm, Term, WatchCounts, WatchRule } from '../../api/types';
import { ORIGINAL_FILE } from '../../media_types/kind';

/** What an item made of a file is called in the content model. */
const OBJECT = 'islandora_object';

/** A rule that leaves everything as usual, as the server does where nothing is said. */
export function usualRule(): WatchRule {
  return {
    path: '',
    collection: null,
    subfolders: 'ignored',
    model: 'auto',
    media_type: 'auto',
    media_use: ORIGINAL_FILE,
    scheme: null,
    owner: 'admin',
    published: true,
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

/** The last part of a path, which is what people call the folder. */
export function folderName(path: string): string {
  return (
    path
      .split(/[/\\]/)
      .filter((part) => part !== '')
      .at(-1) ?? path
  );
}

/** Files that will have their turn. */
export function waiting(counts: WatchCounts): number {
  return counts.seen + counts.settled + counts.ingesting;
}

export type Standing = 'problem' | 'paused' | 'failures' | 'working' | 'watching';

/** The one word for a folder: what needs a person comes first. */
export function standing(folder: {
  paused: boolean;
  problem?: string | null;
  counts: WatchCounts;
}): Standing {
  if (folder.problem) return 'problem';
  if (folder.paused) return 'paused';
  if (folder.counts.failed > 0) return 'failures';
  return waiting(folder.counts) > 0 ? 'working' : 'watching';
}

/** One value that every item gets, as a line of the form. */
export interface TemplateLine {
  field: string;
  text: string;
}

export function linesOf(template: WatchRule['template']): TemplateLine[] {
  return Object.entries(template).flatMap(([field, texts]) =>
    (Array.isArray(texts) ? texts : [texts]).map((text) => ({ field, text })),
  );
}

/** The template that some lines make. Lines without a value make none. */
export function templateOf(lines: TemplateLine[]): WatchRule['template'] {
  const template: Record<string, string[]> = {};
  for (const { field, text } of lines) {
    if (text.trim() !== '') (template[field] ??= []).push(text.trim());
  }
  return Object.fromEntries(
    Object.entries(template).map(([field, texts]) => [field, texts.length === 1 ? (texts[0] ?? '') : texts]),
  );
}

/** Fields that every item can be given a value of. */
export function templateFields(model: ContentModel): Field[] {
  const fields = model.node_types[OBJECT]?.fields ?? [];
  return fields.filter(
    ({ name, type, derived }) =>
      !derived && !['field_model', 'field_member_of'].includes(name) && !['file', 'image'].includes(type),
  );
}

/** How a rule names a term that stands among a list: so that nobody else's is meant. */
export function nameOf(term: Term, field: Field, among: Term[]): string {
  const alike = among.filter(
    ({ name, vocabulary }) =>
      vocabulary === term.vocabulary && name.toLowerCase() === term.name.toLowerCase(),
  );
  if (alike.length > 1) return String(term.tid);
  return inVocabulary(term.vocabulary, term.name, field);
}

/** A name in a vocabulary, with that before it where a field takes terms of several. */
export function inVocabulary(vocabulary: string, name: string, field: Field): string {
  return (field.target_bundles ?? []).length > 1 ? `${vocabulary}:${name}` : name;
}

/** The word of a rule for one of the terms that the program knows. */
export function wordOf(term: NamedTerm): string {
  return term.uri ?? term.name;
}

/** The term that the word of a rule means. */
export function termOf(terms: NamedTerm[], word: string): NamedTerm | undefined {
  return terms.find(
    (term) =>
      term.uri === word || String(term.tid) === word || term.name.toLowerCase() === word.toLowerCase(),
  );
}

/** The role and the agent that a linked agent's text names. */
export function agentOf(text: string): { relator: string; agent: string } {
  const match = /^(relators:[^:]+):(.*)$/s.exec(text);
  return match
    ? { relator: match[1] ?? '', agent: match[2] ?? '' }
    : { relator: 'relators:ctb', agent: text };
}
