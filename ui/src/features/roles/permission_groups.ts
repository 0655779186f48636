import type { Permission } from '../../api/types';

/** Permissions of one template: a column of a table with a row for each bundle. */
interface Column {
  template: string;
  /** Names of permissions by bundle. */
  names: Record<string, string>;
}

/** The permissions of an area, as a form displays them. */
export interface PermissionGroup {
  area: Permission['area'];
  /** Those that are about no bundle alone. */
  single: Permission[];
  columns: Column[];
  rows: { id: string; label: string }[];
}

/** Groups permissions by area, in their order. */
export function groupPermissions(permissions: Permission[]): PermissionGroup[] {
  const areas = [...new Set(permissions.map(({ area }) => area))];
  return areas.map((area) => {
    const all = permissions.filter((one) => one.area === area);
    const ofBundles = all.filter(({ bundle }) => bundle !== null);
    const templates = [...new Set(ofBundles.map(({ template }) => template))];
    const rows = new Map(
      ofBundles.flatMap(({ bundle }) => (bundle ? [[bundle.id, bundle.label] as const] : [])),
    );
    return {
      area,
      single: all.filter(({ bundle }) => bundle === null),
      columns: templates.map((template) => ({ template, names: namesOf(ofBundles, template) })),
      rows: [...rows].map(([id, label]) => ({ id, label })),
    };
  });
}

function namesOf(permissions: Permission[], template: string): Record<string, string> {
  const ofTemplate = permissions.filter((one) => one.template === template);
  return Object.fromEntries(ofTemplate.map(({ name, bundle }) => [bundle?.id ?? '', name]));
}

/** Permissions of a role that no list names: those of other systems. */
export function unlisted(chosen: string[], permissions: Permission[]): string[] {
  const known = new Set(permissions.map(({ name }) => name));
  return chosen.filter((name) => !known.has(name));
}

/** The chosen names, with some of them added or left out. */
export function choose(chosen: string[], names: string[], on: boolean): string[] {
  const others = chosen.filter((name) => !names.includes(name));
  return on ? [...others, ...names] : others;
}
