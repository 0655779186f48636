import { describe, expect, it } from 'vitest';
import { ApiError, messageIn, parseViolations } from './errors';

const U = 'Unprocessable Entity: validation failed.\n';

describe('parseViolations', () => {
  it('reads a line about a whole field', () => {
    expect(parseViolations(`${U}title: This value should not be null.\n`)).toEqual([
      { field: 'title', index: null, property: null, text: 'This value should not be null.' },
    ]);
  });

  it('reads the position and the property of a value', () => {
    const text = 'The referenced entity (taxonomy_term: 99999) does not exist.';
    expect(parseViolations(`${U}field_model.0.target_id: ${text}\n`)).toEqual([
      { field: 'field_model', index: 0, property: 'target_id', text },
    ]);
  });

  it('keeps colons of the sentence and every line in its order', () => {
    const lines = parseViolations(
      `${U}title.0.value: Title: may not be longer than 255 characters.\n` +
        `field_edtf_date.1: garbage is not valid EDTF: Could not parse the date 'garbage'.\n`,
    );
    expect(lines.map((line) => [line.field, line.index, line.text])).toEqual([
      ['title', 0, 'Title: may not be longer than 255 characters.'],
      ['field_edtf_date', 1, "garbage is not valid EDTF: Could not parse the date 'garbage'."],
    ]);
  });

  it('keeps a line without a path', () => {
    const [line] = parseViolations(
      'Unprocessable Entity: file validation failed.\nOnly files with the following extensions are allowed: png.',
    );
    expect(line).toMatchObject({
      field: '',
      text: 'Only files with the following extensions are allowed: png.',
    });
  });

  it('finds none in another message', () => {
    expect(parseViolations('Could not determine entity type bundle: "type" field is missing.')).toEqual([]);
  });
});

describe('ApiError', () => {
  it('has violations only when the answer is 422', () => {
    expect(new ApiError(422, `${U}name: No.\n`).violations).toHaveLength(1);
    expect(new ApiError(400, `${U}name: No.\n`).violations).toHaveLength(0);
  });
});

describe('messageIn', () => {
  const response = { status: 502, statusText: 'Bad Gateway' };

  it('is the server’s own sentence', () => {
    expect(messageIn('{"message":"Syntax error"}', response)).toBe('Syntax error');
  });

  it('is the status when the body is not the server’s', () => {
    expect(messageIn('<html>', response)).toBe('502 Bad Gateway');
    expect(messageIn('"text"', response)).toBe('502 Bad Gateway');
    expect(messageIn('', response)).toBe('502 Bad Gateway');
  });
});
