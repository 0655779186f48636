import { readContentModel } from '../api/read';
import { loadSession, signIn, signOut } from '../api/session';
import type { ContentModel, Session } from '../api/types';

const NO_MODEL: ContentModel = {
  node_types: {},
  media_types: {},
  vocabularies: {},
  relators: {},
  media_uses: [],
  models: [],
};

/** The repository that this page looks at: who is signed in, and what it knows to keep. */
class Repository {
  session: Session | null = $state.raw(null);
  model: ContentModel = $state.raw(NO_MODEL);
  /** False while the server does not answer. */
  reached = $state(true);
  /** True while the stream of changes is open. */
  live = $state(false);
  /** A visitor chose to look at what is public. */
  asVisitor = $state(false);

  get user() {
    return this.session?.user ?? null;
  }

  get name(): string {
    return this.session?.repository.name ?? '';
  }

  async load(): Promise<void> {
    this.session = await loadSession();
    if (this.session.user || this.asVisitor) this.model = await readContentModel();
  }

  async signIn(name: string, pass: string): Promise<void> {
    this.session = await signIn(name, pass);
    this.model = await readContentModel();
  }

  async signOut(): Promise<void> {
    const token = this.session?.logout_token;
    if (token) await signOut(token);
    this.asVisitor = false;
    this.session = await loadSession();
  }

  async visit(): Promise<void> {
    this.model = await readContentModel();
    this.asVisitor = true;
  }
}

export const repository = new Repository();
