/** Plans what becomes of dropped files. Nothing is sent. */
import type { ContentModel, NamedTerm } from '../../api/types';
import { refusalReason, type RefusalReason } from '../../media_display/refusal';
import { classifyFile, type FileClassification } from '../../media_display/file_kinds';
import { titleFromName } from '../../media_display/title';
import type { DroppedFile } from './dropped_files';

export interface PlannedItem {
  file: DroppedFile;
  title: string;
  classification: FileClassification;
}
export interface RefusedFile {
  file: DroppedFile;
  reason: RefusalReason;
}
/** New items of one collection: the target of the drop, or the collection of a folder. */
export interface PlanGroup {
  folder: string[];
  items: PlannedItem[];
}
export interface UploadPlan {
  groups: PlanGroup[];
  refusedFiles: RefusedFile[];
  /** Folders, each after its outer one. */
  folders: string[][];
  /** Total bytes of the dropped files. */
  size: number;
}

/** Sorts page 2 before page 10. */
const naturalOrder = new Intl.Collator(undefined, { numeric: true });

export function planDrop(files: DroppedFile[], model: ContentModel): UploadPlan {
  const groups = new Map<string, PlanGroup>();
  const refusedFiles: RefusedFile[] = [];
  for (const file of files) {
    const reason = refusalReason(file.name, file.size, model);
    const classification = classifyFile(file.name, file.mime, model);
    if (reason || !classification) {
      refusedFiles.push({ file, reason: reason ?? 'unsupported' });
      continue;
    }
    const key = folderKey(file.folder);
    const group = groups.get(key) ?? { folder: file.folder, items: [] };
    group.items.push({ file, title: titleFromName(file.name), classification });
    groups.set(key, group);
  }
  const sorted = [...groups.values()].sort((a, b) => compareFolders(a.folder, b.folder));
  for (const group of sorted) group.items.sort((a, b) => compareNames(a.file.name, b.file.name));
  return {
    groups: sorted,
    refusedFiles,
    folders: collectFolders(sorted),
    size: files.reduce((sum, file) => sum + file.size, 0),
  };
}

/** Removes files from a plan, and folders that are then empty. */
export function withoutFiles(plan: UploadPlan, isLeftOut: (file: DroppedFile) => boolean): UploadPlan {
  const groups = plan.groups
    .map(({ folder, items }) => ({ folder, items: items.filter(({ file }) => !isLeftOut(file)) }))
    .filter(({ items }) => items.length > 0);
  return { ...plan, groups, folders: collectFolders(groups) };
}

/** File names contain no NUL, so it separates them safely. */
export function folderKey(folder: string[]): string {
  return folder.join('\0');
}

/** Extensions count last: `page 5.jpg` stands before `page 5 back.jpg`. */
function compareNames(a: string, b: string): number {
  const [first, second] = [a, b].map((name) => name.replace(/(?<=.)\.[^.]*$/, ''));
  return naturalOrder.compare(first ?? '', second ?? '') || naturalOrder.compare(a, b);
}

function compareFolders(a: string[], b: string[]): number {
  return folderKey(a) < folderKey(b) ? -1 : 1;
}

function collectFolders(groups: PlanGroup[]): string[][] {
  const all = new Map<string, string[]>();
  for (const { folder } of groups) {
    folder.forEach((_, depth) => {
      const outer = folder.slice(0, depth + 1);
      all.set(folderKey(outer), outer);
    });
  }
  return [...all.values()];
}

/** Number of files that are left out for each reason, the most frequent first. */
export function countRefusals(refused: RefusedFile[]): [RefusalReason, number][] {
  const counts = new Map<RefusalReason, number>();
  for (const { reason } of refused) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]);
}

/** Number of items per model, the most frequent first. */
export function countByModel(
  plan: UploadPlan,
  modelOf: (group: PlanGroup, item: PlannedItem) => NamedTerm,
): [NamedTerm, number][] {
  const counts = new Map<number, [NamedTerm, number]>();
  for (const group of plan.groups) {
    for (const item of group.items) {
      const model = modelOf(group, item);
      counts.set(model.tid, [model, (counts.get(model.tid)?.[1] ?? 0) + 1]);
    }
  }
  return [...counts.values()].sort((a, b) => b[1] - a[1]);
}

/** Folders that can become a paged item, by key: those with files and without folders. */
export function possibleBooks({ groups, folders }: UploadPlan): Set<string> {
  const outer = new Set(folders.map((folder) => folderKey(folder.slice(0, -1))));
  const keys = groups.map(({ folder }) => folderKey(folder));
  return new Set(keys.filter((key) => key !== '' && !outer.has(key)));
}

/** The folders among them whose files are several images and nothing else. */
export function proposedBooks(plan: UploadPlan): Set<string> {
  const possible = possibleBooks(plan);
  const proposed = plan.groups.filter(
    ({ folder, items }) =>
      possible.has(folderKey(folder)) &&
      items.length > 1 &&
      items.every(({ classification }) => classification.model.role === 'image'),
  );
  return new Set(proposed.map(({ folder }) => folderKey(folder)));
}

export function plannedFiles(plan: UploadPlan): DroppedFile[] {
  return plan.groups.flatMap(({ items }) => items.map(({ file }) => file));
}

/** Total bytes of the planned files. */
export function plannedSize(plan: UploadPlan): number {
  return plannedFiles(plan).reduce((sum, { size }) => sum + size, 0);
}

export function itemCount(plan: UploadPlan): number {
  return plan.groups.reduce((sum, group) => sum + group.items.length, 0);
}
