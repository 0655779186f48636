import { listTerms } from '../api/read';
import { isShipped, termName } from '../texts/shipped_labels';
import { comparable } from '../components/combobox_match';

const MOST = 20;

/** Terms with a name that has these words, in the reader's language. */
export async function findTermsByName(vocabularies: string[], words: string, signal: AbortSignal) {
  // The server does not know what the program's own terms are called in other languages: there are few of them.
  const shipped = vocabularies.length > 0 && vocabularies.every(isShipped);
  const { terms } = await listTerms(vocabularies, shipped ? '' : words, shipped ? 100 : MOST, null, signal);
  const named = terms.map((term) => ({ ...term, name: termName(term.name, term.vocabulary) }));
  if (!shipped) return named;
  return named.filter(({ name }) => comparable(name).includes(comparable(words))).slice(0, MOST);
}
