import { SvelteMap, SvelteSet } from 'svelte/reactivity';
import { isPublicByDefault } from '../../state/default_visibility';
import type { NamedTerm } from '../../api/types';
import { createItem } from '../../state/create_item';
import { modelTerm, useTerm } from '../../media_display/file_kinds';
import { MAX_PAGES } from '../../media_display/pages';
import { repository } from '../../state/repository.svelte';
import type { Step } from '../../state/undo_stack';
import { collectionCreator } from './collection_creator';
import type { CollectionTarget, CollectionTargets, TargetChoice } from './collection_targets';
import type { DroppedFile } from './dropped_files';
import { DuplicateSearch } from './duplicate_search.svelte';
import { MemberSeries } from './member_series';
import { PageCounter } from './page_counter.svelte';
import { TargetResolver } from './target_resolver.svelte';
import { titleByRule, type TitleRule } from './title_rule';
import { transferQueue, type UploadPlanItem } from './transfer_queue.svelte';
import {
  folderKey,
  itemCount,
  planDrop,
  plannedFiles,
  plannedSize,
  possibleBooks,
  proposedBooks,
  withoutFiles,
  type PlanGroup,
  type PlannedItem,
  type UploadPlan,
} from './upload_plan';

/** The item that files were dropped on, as its target: a collection, or a paged item that gets pages. */
export interface DropPlace {
  title: string;
  isPaged: boolean;
}

/** Files dropped on a collection: what becomes of them, and the choices of the user before they are uploaded. */
export class DropImport {
  plan: UploadPlan | null = $state.raw(null);
  failure: string | null = $state(null);
  /** Numbers of dropped files and of the folders that they are in. */
  fileCount = $state(0);
  folderCount = $state(0);
  /** The model of all new items; 0 leaves it to the type of each file. */
  model = $state(0);
  mediaUse = $state(useTerm(repository.model, 'original_file')?.tid ?? 0);
  /** The visibility that the user chose; null: that of the defaults of the collection. */
  #chosenVisibility: boolean | null = $state(null);
  #defaultVisibility = $state(false);
  #defaults: Promise<void> = Promise.resolve();
  titleRule: TitleRule = $state('file');
  skipDuplicates = $state(false);
  skipCopies = $state(false);
  readonly pageCounter = new PageCounter();
  /** Null outside of collections, and until it is read. */
  place: DropPlace | null = $state.raw(null);
  resolver: TargetResolver | null = $state.raw(null);
  readonly duplicates = new DuplicateSearch();
  /** Titles that the user typed in place of those made by the rule. */
  readonly #titles = new SvelteMap<DroppedFile, string>();
  /** Files of several pages that become a book of their pages. */
  readonly #books = new SvelteSet<DroppedFile>();

  /** The part of the plan that is carried out. */
  readonly included: UploadPlan | null = $derived.by(() => {
    const { plan } = this;
    return plan && withoutFiles(plan, (file) => this.isLeftOut(file));
  });

  /** Numbers of the included files within their folders, from 1. */
  readonly #numbers = $derived(
    new Map(
      this.included?.groups.flatMap(({ items }) =>
        items.map(({ file }, index) => [file, index + 1] as const),
      ),
    ),
  );

  constructor(readonly collection: number | null) {}

  /** Whether everybody may see the new items. Without a choice and without a default, only staff. */
  get published(): boolean {
    return this.#chosenVisibility ?? this.#defaultVisibility;
  }

  set published(published: boolean) {
    this.#chosenVisibility = published;
  }

  /** Takes the visibility of the defaults of the collection over. */
  readDefaults(): void {
    // Where they cannot be read, nothing is published by them.
    this.#defaults = isPublicByDefault(this.collection).then(
      (published) => void (this.#defaultVisibility = published),
      () => {},
    );
  }

  /** Whether the user leaves a file out. */
  isLeftOut(file: DroppedFile): boolean {
    const { holders, copies } = this.duplicates;
    return (this.skipDuplicates && holders.has(file)) || (this.skipCopies && copies.has(file));
  }

  get itemCount(): number {
    return this.included ? itemCount(this.included) : 0;
  }

  /** The collections and paged items that folders with included files go into, new and existing ones. */
  get targets(): CollectionTarget[] {
    const known = this.resolver?.targets;
    return this.included?.folders.flatMap((folder) => known?.get(folderKey(folder)) ?? []) ?? [];
  }

  get newCollectionCount(): number {
    return this.targets.filter(({ chosen }) => chosen === null).length;
  }

  get newBookCount(): number {
    return this.targets.filter(({ chosen }) => chosen === 'paged').length;
  }

  /** Plans the upload of these files. Nothing is sent. */
  setFiles(files: DroppedFile[]): void {
    this.fileCount = files.length;
    this.folderCount = new Set(files.map(({ folder }) => folderKey(folder)).filter((key) => key !== '')).size;
    const plan = (this.plan = planDrop(files, repository.model));
    void this.duplicates.run(plannedFiles(plan));
    const items = plan.groups.flatMap((group) => group.items);
    void this.pageCounter.run(items.map(({ file, classification: { mime } }) => ({ file, mime })));
    const paged = { possible: possibleBooks(plan), proposed: proposedBooks(plan) };
    this.resolver = new TargetResolver(plan.folders, this.collection, paged);
    this.resolver.resolved.catch(this.fail);
  }

  readonly fail = (error: unknown): void => {
    this.failure = error instanceof Error ? error.message : String(error);
  };

  /** Stops what looks into the files. */
  stop(): void {
    this.duplicates.stop();
    this.pageCounter.stop();
  }

  /** How many pages of a file can become items of their own; null where they cannot. */
  pagesOf(group: PlanGroup, { file }: PlannedItem): number | null {
    const count = this.pageCounter.counts.get(file) ?? 0;
    const isOriginal = this.mediaUse === useTerm(repository.model, 'original_file')?.tid;
    return count > 1 && count <= MAX_PAGES && isOriginal && !this.isPaged(group) ? count : null;
  }

  /** The files whose pages can become items. */
  get multipageFiles(): DroppedFile[] {
    const { groups = [] } = this.included ?? {};
    return groups.flatMap((group) =>
      group.items.filter((item) => this.pagesOf(group, item) !== null).map(({ file }) => file),
    );
  }

  /** Whether a file becomes a book of its pages. */
  becomesBook(group: PlanGroup, item: PlannedItem): boolean {
    return this.#books.has(item.file) && this.pagesOf(group, item) !== null;
  }

  /** How many of these files become books. */
  countBooks(files: DroppedFile[]): number {
    return files.filter((file) => this.#books.has(file)).length;
  }

  chooseBook(files: DroppedFile[], becomesBook: boolean): void {
    for (const file of files) {
      if (becomesBook) this.#books.add(file);
      else this.#books.delete(file);
    }
  }

  /** Total bytes that are stored: pages of a TIFF have files of their own. */
  get storedSize(): number {
    if (!this.included) return 0;
    const books = this.included.groups.flatMap((group) =>
      group.items.filter((item) => this.becomesBook(group, item)),
    );
    const tiffs = books.filter(({ classification: { mime } }) => mime.startsWith('image/'));
    return plannedSize(this.included) + tiffs.reduce((sum, { file }) => sum + file.size, 0);
  }

  /** The title of a new item: the typed one, otherwise that of the rule. */
  titleOf(group: PlanGroup, item: PlannedItem): string {
    return this.#titles.get(item.file) ?? this.ruledTitle(group, item);
  }

  private ruledTitle(group: PlanGroup, item: PlannedItem): string {
    const number = this.#numbers.get(item.file);
    if (number === undefined) return item.title;
    const folder = group.folder.at(-1) ?? this.place?.title ?? null;
    const model = this.modelOf(group, item).name;
    return titleByRule(this.titleRule, { fromName: item.title, model, folder, number });
  }

  setTitle({ file }: PlannedItem, title: string): void {
    this.#titles.set(file, title);
  }

  /** The model of a new item: of a book, the chosen one, that of a page, or that of the type of its file. */
  modelOf(group: PlanGroup, item: PlannedItem): NamedTerm {
    const { models } = repository.model;
    const book = this.becomesBook(group, item) ? modelTerm(repository.model, 'paged') : undefined;
    const chosen = models.find(({ tid }) => tid === this.model);
    const page = this.isPaged(group) ? modelTerm(repository.model, 'page') : undefined;
    return book ?? chosen ?? page ?? item.classification.model;
  }

  private isPaged({ folder }: PlanGroup): boolean {
    if (folder.length === 0) return this.place?.isPaged ?? false;
    return this.resolver?.targets?.get(folderKey(folder))?.chosen === 'paged';
  }

  chooseTarget(folder: string[], target: TargetChoice): void {
    this.resolver?.choose(folder, target);
    this.resolver?.resolved.catch(this.fail);
  }

  /**
   * Queues the uploads and answers true. Answers false where existing collections were found after the user pressed
   * the button: they are displayed first.
   */
  async start(): Promise<boolean> {
    const displayed = this.resolver?.targets;
    const targets = await this.resolver?.resolved.catch(() => null);
    await this.#defaults;
    if (!this.included || !targets) return false;
    if (!displayed && [...targets.values()].some(({ existing }) => existing.length > 0)) return false;
    const steps: Step[] = [];
    transferQueue.add(this.uploads(this.included, targets, steps), steps);
    transferQueue.open = true;
    return true;
  }

  private uploads(plan: UploadPlan, targets: CollectionTargets, steps: Step[]): UploadPlanItem[] {
    const status = this.published;
    const create = (title: string, parent: number | null, isPaged: boolean) => {
      const tid = modelTerm(repository.model, isPaged ? 'paged' : 'collection')?.tid ?? 0;
      return createItem(title, tid, parent, { status });
    };
    const collectionOf = collectionCreator({ targets, parent: this.collection, create, steps });
    return plan.groups.flatMap((group) => {
      const series = new MemberSeries(group.items.length);
      return group.items.map((item, index) => ({
        file: item.file,
        goal: {
          kind: 'item' as const,
          title: this.titleOf(group, item).trim() || this.ruledTitle(group, item),
          model: this.modelOf(group, item).tid,
          status,
          collection: () => collectionOf(group.folder),
          place: { series, index },
          pages: this.becomesBook(group, item) ? this.pagesOf(group, item) : null,
        },
        classification: item.classification,
        useTid: this.mediaUse,
      }));
    });
  }
}
