import type { TableOptions } from '../../api/export';
import { LocalSetting } from '../../state/local_setting.svelte';
import { repository } from '../../state/repository.svelte';
import { tableColumns, type OwnColumn } from '../../state/table_columns.svelte';
import { t } from '../../texts';
import { fieldLabel, itemFields } from '../item_list/filter_choices';

/** Columns under a name. */
interface ColumnPreset {
  name: string;
  columns: string[];
}

/** Columns of a table that are no fields of an item's form, before the fields and behind them. */
const FIRST = ['node_id', 'title'] as const;
const LAST = [
  'published',
  'type',
  'uuid',
  'langcode',
  'uid',
  'created',
  'changed',
  'promote',
  'url_alias',
] as const;
type BaseColumn = (typeof FIRST)[number] | (typeof LAST)[number];

/** Every column that can be exported. */
export function exportColumns(): string[] {
  const fields = itemFields().map(({ name }) => name);
  return [...new Set([...FIRST, ...fields, ...LAST])];
}

export const exportColumnLabel = (name: string): string =>
  name in t.exporting.columns ? t.exporting.columns[name as BaseColumn] : fieldLabel(name);

/** The columns of the table view, as far as they are values of items. */
export function tableViewColumns(): string[] {
  const { field_roles: roles } = repository.model;
  const own: Partial<Record<OwnColumn, string>> = {
    title: 'title',
    date: roles.date,
    model: roles.model,
    status: 'published',
    changed: 'changed',
    created: 'created',
    nid: 'node_id',
    weight: roles.weight,
  };
  const known = new Set(exportColumns());
  const shown = tableColumns.all.map(({ id }) => own[id as OwnColumn] ?? id);
  return [...new Set(['node_id', ...shown])].filter((name) => known.has(name));
}

/** How tables are exported, stored in this browser. */
class ExportSettings {
  readonly #options = new LocalSetting<TableOptions>('export', {
    format: 'csv',
    terms: 'names',
    columns: null,
    files: 'none',
  });
  readonly #presets = new LocalSetting<ColumnPreset[]>('export-presets', []);

  get options(): TableOptions {
    return this.#options.value;
  }

  set options(options: TableOptions) {
    this.#options.value = options;
  }

  get presets(): ColumnPreset[] {
    return this.#presets.value;
  }

  /** The preset that has these columns in this order. */
  presetOf(columns: string[]): ColumnPreset | undefined {
    return this.presets.find((preset) => preset.columns.join() === columns.join());
  }

  /** Keeps columns under a name, in place of those that it had. */
  keep(name: string, columns: string[]): void {
    const others = this.presets.filter((preset) => preset.name !== name);
    this.#presets.value = [...others, { name, columns }].sort((a, b) => a.name.localeCompare(b.name));
  }

  forget(name: string): void {
    this.#presets.value = this.presets.filter((preset) => preset.name !== name);
  }
}

export const exportSettings = new ExportSettings();
