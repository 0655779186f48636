import { createItem } from '../../state/create_item';
import { modelTerm, useTerm } from '../../media_types/file_kinds';
import { mayPublish } from '../../state/permissions';
import { repository } from '../../state/repository.svelte';
import type { Step } from '../../state/undo_stack';
import { collectionCreator } from './collection_creator';
import type { CollectionTarget, CollectionTargets } from './collection_targets';
import type { DroppedFile } from './dropped_files';
import { DuplicateSearch } from './duplicate_search.svelte';
import { TargetResolver } from './target_resolver.svelte';
import { transferQueue, type UploadPlanItem } from './transfer_queue.svelte';
import {
  folderKey,
  itemCount,
  planDrop,
  plannedFiles,
  withoutFiles,
  type PlannedItem,
  type UploadPlan,
} from './upload_plan';

/** Files dropped on a collection: what becomes of them, and the choices of the user before they are uploaded. */
export class DropImport {
  plan: UploadPlan | null = $state.raw(null);
  failure: string | null = $state(null);
  /** Number of dropped files. */
  fileCount = $state(0);
  /** The model of all new items; 0 leaves it to the type of each file. */
  model = $state(0);
  mediaUse = $state(useTerm(repository.model, 'original_file')?.tid ?? 0);
  published = $state(true);
  skipDuplicates = $state(false);
  resolver: TargetResolver | null = $state.raw(null);
  readonly duplicates = new DuplicateSearch();
  /** Titles that the user typed in place of those made from file names. */
  readonly #titles = new Map<PlannedItem, string>();

  constructor(readonly collection: number | null) {}

  /** The part of the plan that is carried out. */
  get included(): UploadPlan | null {
    const { plan, skipDuplicates, duplicates } = this;
    return plan && skipDuplicates ? withoutFiles(plan, (file) => duplicates.holders.has(file)) : plan;
  }

  get itemCount(): number {
    return this.included ? itemCount(this.included) : 0;
  }

  /** The collections that folders with included files go into, new and existing ones. */
  get targets(): CollectionTarget[] {
    const known = this.resolver?.targets;
    return this.included?.folders.flatMap((folder) => known?.get(folderKey(folder)) ?? []) ?? [];
  }

  get newCollectionCount(): number {
    return this.targets.filter(({ chosen }) => chosen === null).length;
  }

  /** Plans the upload of these files. Nothing is sent. */
  setFiles(files: DroppedFile[]): void {
    this.fileCount = files.length;
    this.plan = planDrop(files, repository.model);
    void this.duplicates.run(plannedFiles(this.plan));
    this.resolver = new TargetResolver(this.plan.folders, this.collection);
    this.resolver.resolved.catch(this.fail);
  }

  readonly fail = (error: unknown): void => {
    this.failure = error instanceof Error ? error.message : String(error);
  };

  setTitle(item: PlannedItem, title: string): void {
    this.#titles.set(item, title);
  }

  chooseTarget(folder: string[], nid: number | null): void {
    this.resolver?.choose(folder, nid);
    this.resolver?.resolved.catch(this.fail);
  }

  /**
   * Queues the uploads and answers true. Answers false where existing collections were found after the user pressed
   * the button: they are displayed first.
   */
  async start(): Promise<boolean> {
    const displayed = this.resolver?.targets;
    const targets = await this.resolver?.resolved.catch(() => null);
    if (!this.included || !targets) return false;
    if (!displayed && [...targets.values()].some(({ existing }) => existing.length > 0)) return false;
    const steps: Step[] = [];
    transferQueue.add(this.uploads(this.included, targets, steps), steps);
    transferQueue.open = true;
    return true;
  }

  private uploads(plan: UploadPlan, targets: CollectionTargets, steps: Step[]): UploadPlanItem[] {
    const status = mayPublish() ? this.published : undefined;
    const tid = modelTerm(repository.model, 'collection')?.tid ?? 0;
    const create = (title: string, parent: number | null) => createItem(title, tid, parent, status);
    const collectionOf = collectionCreator({ targets, parent: this.collection, create, steps });
    return plan.groups.flatMap(({ folder, items }) =>
      items.map((item) => ({
        file: item.file,
        goal: {
          kind: 'item' as const,
          title: this.#titles.get(item)?.trim() || item.title,
          model: this.model || item.classification.model.tid,
          status,
          collection: () => collectionOf(folder),
        },
        classification: item.classification,
        useTid: this.mediaUse,
      })),
    );
  }
}
