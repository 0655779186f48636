import { absoluteUrl } from './client';

/** What `GET /api/v1/export` is asked beside the items. */
export interface TableOptions {
  format: 'csv' | 'xlsx';
  terms: 'names' | 'uris' | 'ids';
  /** Null: the columns of the items' types. */
  columns: string[] | null;
  /** The files that come along, in a ZIP. */
  files: 'none' | 'original' | 'all';
}

/** The address of a table. CSV says that it is UTF-8, or Excel would take it for another encoding. */
export function tableUrl(items: Record<string, string | string[]>, options: TableOptions): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(items))
    for (const one of [value].flat()) parameters.append(name, one);
  parameters.set('format', options.format);
  parameters.set('terms', options.terms);
  if (options.columns) parameters.set('columns', options.columns.join(','));
  if (options.format === 'csv') parameters.set('bom', 'true');
  if (options.files !== 'none') parameters.set('files', options.files);
  return absoluteUrl(`/api/v1/export?${parameters}`);
}
