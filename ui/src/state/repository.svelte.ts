import { readContentModel } from '../api/read';
import { loadSession, signIn, signOut, type LogIn } from '../api/session';
import type { ContentModel, RepositoryIdentity, Session } from '../api/types';
import { localizeBaseFields } from './base_fields';

/** Nobody sees anything before the content model has been read, so no role has a name. */
const EMPTY_MODEL = {
  node_types: {},
  media_types: {},
  vocabularies: {},
  relators: {},
  media_uses: [],
  models: [],
  bundle_roles: {},
  field_roles: { subjects: [], common: [] },
  file_kinds: [],
} as unknown as ContentModel;

/** The session and the content model of the repository. */
class Repository {
  session: Session | null = $state.raw(null);
  model: ContentModel = $state.raw(EMPTY_MODEL);
  reachable = $state(true);
  /** Whether the event stream is connected. */
  live = $state(false);
  /** Whether somebody who is not signed in looks at public content. */
  isVisitor = $state(false);

  get user() {
    return this.session?.user ?? null;
  }

  get name(): string {
    return this.session?.repository.name ?? '';
  }

  /** Address of its picture. */
  get picture(): string | null {
    return this.session?.repository.picture ?? null;
  }

  /** Of the self-signed certificate that the page came through. */
  get fingerprint(): string | null {
    return this.session?.repository.fingerprint ?? null;
  }

  /** Takes a changed name or picture over. */
  identify(identity: RepositoryIdentity): void {
    if (this.session)
      this.session = { ...this.session, repository: { ...this.session.repository, ...identity } };
  }

  async load(): Promise<void> {
    this.session = await loadSession();
    if (this.session.user || this.isVisitor) this.model = localizeBaseFields(await readContentModel());
  }

  /** Reads the content model again, which somebody has changed. */
  async reloadModel(): Promise<void> {
    this.model = localizeBaseFields(await readContentModel());
  }

  async signIn(login: LogIn): Promise<void> {
    this.session = await signIn(login);
    this.model = localizeBaseFields(await readContentModel());
  }

  async signOut(): Promise<void> {
    const token = this.session?.logout_token;
    if (token) await signOut(token);
    this.isVisitor = false;
    this.session = await loadSession();
  }

  /** Goes on with what a share link shows. */
  async enterByLink(): Promise<void> {
    this.session = await loadSession();
    await this.enterAsVisitor();
  }

  async enterAsVisitor(): Promise<void> {
    this.model = localizeBaseFields(await readContentModel());
    this.isVisitor = true;
  }
}

export const repository = new Repository();
