import { SvelteMap } from 'svelte/reactivity';
import { facetOf, type Facet } from '../../state/facets';
import { listOptions } from '../../state/list_options.svelte';

/** Which of those who did something a facet shows: all, or those with one relator. */
class RelatorChoice {
  readonly #shown = new SvelteMap<string, string | null>();

  /** The relator; null: any. Until somebody has looked for one, it is that of a choice. */
  of(facet: Facet): string | null {
    const shown = this.#shown.get(facet.name);
    if (shown !== undefined) return shown;
    for (const choice of listOptions.search.choices) {
      const found = facetOf(choice.facet);
      if (found?.facet === facet) return found.relator;
    }
    return null;
  }

  show(facet: Facet, relator: string | null): void {
    this.#shown.set(facet.name, relator);
  }
}

export const relatorChoice = new RelatorChoice();
