import type { TableProblem } from '../api/import_table';
import type { components } from '../api/schema';
import { language } from './language';
import { violationText } from './refusals';

type TableProblemCode = components['schemas']['TableProblemCode'];
type ViolationCode = components['schemas']['ViolationCode'];
/** Words for a code, with what it is about. The server says `said` in English. */
type Words = (detail: string, said: string) => string;

const because = (words: string) => (_: string, said: string) => `${words} (${said.replace(/\.$/, '')})`;

const german: Record<TableProblemCode, Words> = {
  empty_heading: () => 'Eine Spalte hat keine Überschrift.',
  unknown_column: () => 'Diese Spalte gibt es nicht.',
  repeated_column: () => 'Diese Spalte kommt zweimal vor.',
  missing_column: (name) => `Die Spalte „${name}“ fehlt.`,
  not_an_item_number: () => 'Das ist keine Nummer eines Objekts.',
  unknown_item: () => 'Das gibt es nicht, oder du darfst es nicht sehen.',
  unknown_type: () => 'Diesen Typ gibt es nicht.',
  field_not_in_type: (type) => `Objekte vom Typ ${type} haben dieses Feld nicht.`,
  unknown_term: (term) => {
    const [vocabulary, ...name] = term.split(':');
    return `Den Begriff „${name.join(':')}“ gibt es in ${vocabulary} nicht.`;
  },
  unknown_parent_row: () => 'Keine Zeile darüber hat diese Nummer.',
  repeated_id: () => 'Eine Zeile darüber hat schon diese Nummer.',
  repeated_item: () => 'Eine Zeile darüber ändert schon dieses Objekt.',
  changed_meanwhile: (time) => `Jemand hat das Objekt inzwischen geändert: ${time}.`,
  unknown_media_use: (name) => `Die Verwendung „${name}“ gibt es nicht.`,
  repeated_media_use: () => 'Eine andere Zelle der Zeile nennt schon eine Datei für diese Verwendung.',
  other_file: () => 'Das Objekt hat für diese Verwendung eine andere Datei. Ersetze sie am Objekt.',
  file_on_web: () => 'Dateien werden nicht aus dem Netz geholt. Lege sie in den Ordner der Dateien.',
  no_folder: () => 'Zur Tabelle gehört kein Ordner mit Dateien.',
  file_outside_folder: () => 'Die Datei liegt nicht im Ordner der Dateien.',
  unknown_file: () => 'Diese Datei gibt es nicht.',
  unreadable_file: (why) => `Die Datei ist nicht lesbar (${why}).`,
  empty_file: () => 'Die Datei ist leer.',
  file_too_large: (most) => `Dateien dürfen höchstens ${most} Bytes haben.`,
  file_type_not_taken: () => 'Dateien mit einem solchen Namen werden hier nicht angenommen.',
  file_name_not_possible: (why) => `Unter diesem Namen lässt sich keine Datei speichern (${why}).`,
  nameless_term: () => 'Der Begriff hat keinen Namen.',
  nameless_concept: (address) => `${address} hat keine Bezeichnung.`,
  not_of_concept: (name) => `${name}: Ein Konzept kann das nicht haben.`,
  repeated_uuid: () => 'Ein Begriff darüber hat schon diese UUID.',
  repeated_term: () => 'Unter demselben Begriff steht darüber schon einer mit diesem Namen.',
  same_term: (row) => `Zeile ${row} meint denselben Begriff.`,
  ambiguous_name: () => 'Mehrere Begriffe heißen so. Gib die UUID an.',
  ambiguous_row: () => 'Mehrere Zeilen heißen so. Gib die UUID des übergeordneten Begriffs an.',
  ambiguous_address: () => 'Mehrere Begriffe haben diese Adresse. Gib die UUID an.',
  unknown_parent_term: () => 'Diesen Begriff gibt es nicht.',
  circular_term: () => 'Die übergeordneten Begriffe führen zu diesem zurück.',
  no_names_field: () => 'Das Vokabular hat kein Feld für andere Namen.',
  no_address_field: () => 'Das Vokabular hat kein Feld für Adressen.',
  forbidden: because('Dazu hast du kein Recht.'),
  not_possible: because('Das ist so nicht möglich.'),
};

const isOfTables = (code: string): code is TableProblemCode => code in german;

/** Why a row or a cell of a table cannot be imported, in the reader's language. */
export function tableProblemText({ code, detail, reason }: TableProblem, reader: string = language): string {
  if (reader !== 'de') return reason;
  if (isOfTables(code)) return german[code](detail ?? '', reason);
  const words = violationText(code as ViolationCode, reason, reader);
  return detail === null ? words : `„${detail}“: ${words}`;
}
