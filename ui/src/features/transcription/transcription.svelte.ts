import { hasCode, ServerUnreachable } from '../../api/errors';
import { listItemMedia } from '../../api/read';
import { getEntity } from '../../api/resources';
import type { Entity, Media } from '../../api/types';
import { contentLocation } from '../../media_display/title';
import { mediaWithUse } from '../../media_display/presentation';
import { toItemMedia } from '../../state/item_media';
import { refreshLists } from '../../state/live_updates';
import { repository } from '../../state/repository.svelte';
import { undoHistory } from '../../state/undo_history.svelte';
import { t } from '../../texts';
import { flushDrafts, readDrafts, removeDraft, writeDraft } from '../metadata_form/drafts';
import { startUpload } from '../transfers/upload';
import { uploadSteps } from '../transfers/upload_steps';
import { readText } from '../viewer/file_text';

/** The media type of texts. */
const TEXT_BUNDLE = 'extracted_text';
/** The key of the only draft of a transcription. */
const DRAFT = 'text';

/** A media as the text was read from it, for a conditional change. */
interface ReadState {
  media: Entity;
  etag: string | null;
}

type TranscriptionStatus = 'loading' | 'ready' | 'saving' | 'saved' | 'failed' | 'conflict';

/** The transcription of an item: a text media with the use Transcript. */
export class Transcription {
  text = $state('');
  status: TranscriptionStatus = $state('loading');
  failure = $state('');
  /** Whether the text is that of OCR, and is saved only once it is changed. */
  isSuggested = $state(false);
  /** Whether the text is longer than what is read of it. */
  truncated = $state(false);
  #saved = '';
  #read: ReadState | null = null;
  #saving: Promise<void> = Promise.resolve();

  constructor(
    readonly nid: number,
    readonly title: string,
  ) {}

  get isChanged(): boolean {
    return this.text !== this.#saved;
  }

  private get form(): string {
    return `transcription/${this.nid}`;
  }

  /** Reads the text: the transcription, else what OCR found. A draft comes first. */
  async load(): Promise<void> {
    try {
      const found = toItemMedia(await listItemMedia(this.nid));
      const transcript = mediaWithUse(found, 'transcript');
      await this.take(transcript ?? null);
      if (transcript === undefined) await this.suggest(mediaWithUse(found, 'extracted_text'));
      const draft = readDrafts(this.form)[DRAFT]?.[0]?.value;
      if (typeof draft === 'string' && draft !== this.text) {
        this.isSuggested = false;
        this.text = draft;
      }
      this.status = 'ready';
    } catch (error) {
      this.fail(error);
    }
  }

  private async take(media: Media | null): Promise<void> {
    this.#read = null;
    this.#saved = '';
    if (media) {
      const { body, etag } = await getEntity('media', media.mid);
      const { text, truncated } = await readText(media);
      this.#read = { media: body, etag };
      this.#saved = text;
      this.truncated = truncated;
    }
    this.text = this.#saved;
  }

  private async suggest(media: Media | undefined): Promise<void> {
    const { text, truncated } = media ? await readText(media) : { text: '', truncated: false };
    if (truncated || text.trim() === '') return;
    this.#saved = this.text = text;
    this.isSuggested = true;
  }

  type(text: string): void {
    this.text = text;
    this.isSuggested = false;
    if (this.status !== 'saving') this.status = 'ready';
    writeDraft(this.form, DRAFT, [{ value: text }]);
  }

  /** Saves what was typed, after what is being saved now. */
  save(): Promise<void> {
    flushDrafts();
    this.#saving = this.#saving.then(() => this.saveNow());
    return undoHistory.during(() => this.#saving);
  }

  private async saveNow(): Promise<void> {
    if (!this.isChanged || this.truncated || ['loading', 'conflict'].includes(this.status)) return;
    const { text } = this;
    this.status = 'saving';
    try {
      // Somebody else may have begun it meanwhile.
      if (this.#read === null && (await this.find())) return void (this.status = 'conflict');
      await this.send(text);
      this.#saved = text;
      if (this.text === text) removeDraft(this.form, DRAFT);
      this.status = 'saved';
    } catch (error) {
      if (hasCode(error, 'precondition_failed')) this.status = 'conflict';
      else this.fail(error);
    }
  }

  private async send(text: string): Promise<void> {
    const use = repository.model.media_uses.find(({ role }) => role === 'transcript');
    const file = new File([text], `${this.title || this.nid}.txt`, { type: 'text/plain' });
    const before = this.#read;
    const { done } = startUpload(
      {
        id: this.form,
        source: { file },
        nid: this.nid,
        mediaType: TEXT_BUNDLE,
        useTid: use?.tid ?? 0,
        contentLocation: contentLocation(file.name, new Date()),
        mime: 'text/plain',
        ifMatch: before?.etag ?? null,
        handle: { path: null },
      },
      () => {},
    );
    const address = await done;
    undoHistory.record(...(await uploadSteps({ nid: this.nid, address, before: before?.media ?? null })));
    await this.readState();
    refreshLists();
  }

  /** What the next save expects. */
  private async readState(): Promise<void> {
    const transcript = await this.find();
    const found = transcript && (await getEntity('media', transcript.mid));
    this.#read = found ? { media: found.body, etag: found.etag } : null;
  }

  private async find(): Promise<Media | undefined> {
    return mediaWithUse(toItemMedia(await listItemMedia(this.nid)), 'transcript');
  }

  /** Drops what was typed for what somebody else has saved. */
  async takeTheirs(): Promise<void> {
    removeDraft(this.form, DRAFT);
    this.status = 'loading';
    await this.load();
  }

  /** Saves what was typed over what somebody else has saved. */
  async keepMine(): Promise<void> {
    await this.readState();
    this.status = 'ready';
    await this.save();
  }

  private fail(error: unknown): void {
    this.status = 'failed';
    this.failure =
      error instanceof ServerUnreachable
        ? t.form.offline
        : error instanceof Error
          ? error.message
          : String(error);
  }
}
