import type { components } from '../api/schema';
import { language } from './language';

type ErrorCode = components['schemas']['ErrorCode'];
type ViolationCode = components['schemas']['ViolationCode'];
/** Words for a code; the server's sentence, in English, may say more. */
type Words = (said: string) => string;

const english: {
  errors: Partial<Record<ErrorCode, Words>>;
  violations: Partial<Record<ViolationCode, Words>>;
} = {
  errors: { credentials_refused: () => 'Name or password is wrong.' },
  violations: {
    required: () => 'This must not be empty.',
    not_a_date: () => 'Not a date. Write 1955-06-12 or 1930~.',
    not_a_number: () => 'Must be a number.',
    unknown_reference: () => 'This does not exist, or you may not see it.',
  },
};

/** What the server says besides, where its sentence is about this case alone. */
const because = (words: string) => (said: string) => `${words} (${said.replace(/\.$/, '')})`;

const german: { errors: Record<ErrorCode, Words>; violations: Record<ViolationCode, Words> } = {
  errors: {
    malformed: because('Die Anfrage ist nicht lesbar.'),
    https_required: () => 'Hier geht es nur verschlüsselt, mit HTTPS.',
    not_authenticated: () => 'Dafür musst du angemeldet sein.',
    credentials_refused: () => 'Name oder Passwort ist falsch.',
    second_factor_needed: () => 'Der Code des zweiten Faktors fehlt oder ist falsch.',
    forbidden: () => 'Dazu hast du kein Recht.',
    not_found: () => 'Das gibt es nicht, oder du darfst es nicht sehen.',
    method_not_allowed: () => 'Das geht hier nicht.',
    not_acceptable: () => 'In diesem Format gibt es das nicht.',
    too_slow: () => 'Die Übertragung war zu langsam.',
    conflict: because('Das geht gerade nicht.'),
    precondition_failed: () => 'Jemand anderes hat das inzwischen geändert.',
    too_large: () => 'Das ist zu groß.',
    address_too_long: () => 'Die Adresse ist zu lang.',
    unsupported_media_type: () => 'Dieses Format wird hier nicht angenommen.',
    range_not_satisfiable: () => 'So viele Bytes hat die Datei nicht.',
    unknown_host: () => 'Unter diesem Namen antwortet der Server nicht.',
    invalid: because('Das ist so nicht möglich.'),
    invalid_fields: () => 'Manche Angaben sind nicht gültig.',
    too_many: () => 'Das war zu oft oder zu viel auf einmal.',
    headers_too_large: () => 'Die Anfrage ist zu groß.',
    internal: () => 'Im Programm ist ein Fehler aufgetreten.',
    busy: () => 'Der Server hat gerade zu viel zu tun.',
    unavailable: because('Das geht gerade nicht.'),
    index_missing: (said) => {
      const [percent] = /\d+/.exec(said) ?? [];
      return percent
        ? `Der Suchindex wird erstellt. ${percent} % sind fertig.`
        : 'Der Suchindex fehlt gerade.';
    },
    database_failed: () => 'Die Datenbank hat versagt. Nichts wurde geändert.',
    disk_failed: () => 'Die Festplatte hat versagt, oder Dateien fehlen. Nichts wurde geändert.',
    outcome_unknown: () =>
      'Die Festplatte hat beim Speichern versagt. Vielleicht ist die Änderung gespeichert.',
    disk_full: () => 'Die Festplatte ist voll. Nichts wurde geändert.',
  },
  violations: {
    required: () => 'Das darf nicht leer sein.',
    too_many_values: () => 'Das sind zu viele Werte.',
    too_long: () => 'Das ist zu lang.',
    too_short: () => 'Das ist zu kurz.',
    out_of_range: () => 'Die Zahl ist zu klein oder zu groß.',
    wrong_type: () => 'Ein solcher Wert passt nicht in das Feld.',
    control_character: () => 'Steuerzeichen sind nicht möglich.',
    not_a_choice: () => 'Das steht nicht zur Wahl.',
    not_a_number: () => 'Das muss eine Zahl sein.',
    not_a_date: () => 'Kein Datum. Schreibe 1955-06-12 oder 1930~.',
    not_a_uri: () => 'Das ist keine vollständige Adresse.',
    wrong_syntax: () => 'Das hat nicht die Form, die hier nötig ist.',
    unknown_reference: () => 'Das gibt es nicht, oder du darfst es nicht sehen.',
    reference_not_allowed: () => 'Darauf darf das Feld nicht verweisen.',
    circular_reference: () => 'Ein Objekt kann nicht in sich selbst liegen.',
    file_extension: () => 'Dateien mit dieser Endung nimmt das Feld nicht an.',
    unknown_field: () => 'Dieses Feld gibt es nicht.',
    not_unique: () => 'Das gibt es schon.',
    no_match: () => 'Das stimmt nicht mit dem gespeicherten Wert überein.',
    not_permitted: () => 'Das ist hier nicht erlaubt.',
  },
};

const wordsIn = (reader: string) => (reader === 'de' ? german : english);

/** Why the server refused a request, in the reader's language. */
export const errorText = (code: ErrorCode, said: string): string =>
  wordsIn(language).errors[code]?.(said) ?? said;

/** Which rule a value breaks, in the reader's language. */
export const violationText = (code: ViolationCode, said: string, reader: string = language): string =>
  wordsIn(reader).violations[code]?.(said) ?? said;
