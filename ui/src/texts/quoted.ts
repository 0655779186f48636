/** Finds the names that a sentence quotes. */

const QUOTED = /((?<=“)[^”]+(?=”)|(?<=„)[^“]+(?=“))/;

/** Splits a sentence at the names in its quotation marks: every second part is a name. */
export function splitQuoted(sentence: string): string[] {
  return sentence.split(QUOTED);
}
