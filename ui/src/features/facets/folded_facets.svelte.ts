import { LocalSetting } from '../../state/local_setting.svelte';

/** The facets that show their names only. */
class FoldedFacets {
  readonly #names = new LocalSetting<string[]>('folded-facets', []);

  has(name: string): boolean {
    return this.#names.value.includes(name);
  }

  toggle(name: string): void {
    const others = this.#names.value.filter((one) => one !== name);
    this.#names.value = this.has(name) ? others : [...others, name];
  }
}

export const foldedFacets = new FoldedFacets();
