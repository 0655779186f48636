import { expect, test } from 'vitest';
import { tableProblemText } from './table_problems';

test('problems of a table are in German where the window is', () => {
  const problem = { row: 2, column: 'field_subject', value: 'Maps|Ports', suggestion: null };
  const unknown = { ...problem, code: 'unknown_term', detail: 'subject:Sea: ports', reason: '…' } as const;
  expect(tableProblemText(unknown, 'de')).toBe('Den Begriff „Sea: ports“ gibt es in subject nicht.');
  const number = { ...problem, code: 'not_a_number', detail: 'x', reason: '…' } as const;
  expect(tableProblemText(number, 'de')).toBe('„x“: Das muss eine Zahl sein.');
  const denied = {
    ...problem,
    code: 'forbidden',
    detail: null,
    reason: "'create terms' is needed.",
  } as const;
  expect(tableProblemText(denied, 'de')).toBe("Dazu hast du kein Recht. ('create terms' is needed)");
});
