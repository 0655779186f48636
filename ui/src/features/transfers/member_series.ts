import { readLastMember } from '../../api/read';

/** The highest weight that was given here, by parent: the item that has it may not be created yet. */
const given = new Map<number, number>();

/**
 * New members of one parent, in the order of their plan, although several are created at a time: their weights follow
 * those that are there. Members without a weight stand at the end; where there are some, the new ones get none either
 * and are created one after the other.
 */
export class MemberSeries {
  #first: Promise<number | null> | null = null;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(
    readonly length: number,
    readonly readLast: typeof readLastMember = readLastMember,
  ) {}

  /** Creates the member at an index of the series. */
  async add<T>(parent: number | null, index: number, create: (weight?: number) => Promise<T>): Promise<T> {
    if (parent === null) return create();
    const first = await this.begin(parent);
    if (first !== null) return create(first + index);
    const created = this.#turn.then(() => create());
    this.#turn = created.catch(() => {});
    return created;
  }

  /** The weight of the first new member; null: they get none. */
  private begin(parent: number): Promise<number | null> {
    const first = (this.#first ??= this.reserve(parent));
    // After a failure the next member, or a retry, asks again.
    first.catch(() => (this.#first = null));
    return first;
  }

  private async reserve(parent: number): Promise<number | null> {
    const last = await this.readLast(parent);
    if (last && (last.weight ?? null) === null) return null;
    const first = Math.max(last?.weight ?? 0, given.get(parent) ?? 0) + 1;
    given.set(parent, first + this.length - 1);
    return first;
  }
}
