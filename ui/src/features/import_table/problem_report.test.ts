import { expect, test } from 'vitest';
import type { TableProblem } from '../../api/import_table';
import { problemReport } from './problem_report';

test('the report is a table that no spreadsheet calculates', () => {
  const problem: TableProblem = {
    row: 3,
    column: 'field_subject',
    value: '=cmd|"x", y',
    code: 'unknown_term',
    detail: 'subject:=cmd',
    reason: 'There is no term "=cmd" in subject.',
    suggestion: null,
  };
  const [heading, row] = problemReport([problem]).split('\r\n');
  expect(heading).toBe('\ufeffRow,Column,Value,Problem,Suggestion');
  expect(row).toBe(`3,field_subject,"'=cmd|""x"", y","There is no term ""=cmd"" in subject.",`);
});
