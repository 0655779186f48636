import { describe, expect, it } from 'vitest';
import { ApiError, errorOf, errorOfText, hasCode, messagesOf, ServerUnreachable, toApiError } from './errors';

const response = { status: 502, statusText: 'Bad Gateway', header: () => null };
const violation = {
  field: 'field_model',
  index: 0,
  property: 'target_id',
  code: 'unknown_reference',
  message: 'The referenced entity (taxonomy_term: 99999) does not exist.',
};

describe('errorOf', () => {
  it('takes code, message and violations from the body', () => {
    const body = { message: 'Lines.\n', code: 'invalid_fields', violations: [violation] };
    const error = errorOf(body, response);
    const inWords = { ...violation, message: 'This does not exist, or you may not see it.' };
    expect(error).toMatchObject({ code: 'invalid_fields', message: 'Lines.\n', violations: [inWords] });
  });

  it('says the same once', () => {
    const broken = ['Provided month value is not valid.', 'Provided day value is not valid.'];
    const violations = broken.map((message) => ({ ...violation, code: 'not_a_date', message }));
    const error = errorOf({ message: 'Lines.\n', code: 'invalid_fields', violations }, response);
    expect(error.violations).toHaveLength(2);
    expect(messagesOf(error.violations)).toEqual(['Not a date. Write 1955-06-12 or 1930~.']);
  });

  it('has no violations where the body has none', () => {
    expect(errorOf({ message: 'No.', code: 'forbidden' }, response).violations).toEqual([]);
  });

  it('takes the tries that are left', () => {
    const body = { message: 'Sorry.', code: 'credentials_refused', tries_left: 3 };
    expect(errorOf(body, response).triesLeft).toBe(3);
    expect(errorOf({ message: 'No.', code: 'forbidden' }, response).triesLeft).toBeNull();
  });

  it('reads nothing from the message', () => {
    const message = 'Unprocessable Entity: validation failed.\ntitle: This value should not be null.\n';
    expect(errorOf({ message, code: 'invalid' }, response).violations).toEqual([]);
  });

  it('is the status line when the body is not the server’s', () => {
    for (const body of [null, 'text', {}, { message: 'Only this.' }, { code: 'forbidden' }]) {
      expect(errorOf(body, response)).toMatchObject({ code: null, message: '502 Bad Gateway' });
    }
  });
});

describe('errorOfText', () => {
  it('reads JSON', () => {
    const text = '{"message":"Syntax error","code":"malformed"}';
    expect(errorOfText(text, response)).toMatchObject({ code: 'malformed', message: 'Syntax error' });
  });

  it('is the status line when the text is no JSON', () => {
    expect(errorOfText('<html>', response)).toMatchObject({ code: null, message: '502 Bad Gateway' });
    expect(errorOfText('', response)).toMatchObject({ code: null, message: '502 Bad Gateway' });
  });
});

describe('toApiError', () => {
  it('reads how long to wait', async () => {
    const body = JSON.stringify({ message: 'Later.', code: 'too_many' });
    const answer = new Response(body, { status: 429, headers: { 'Retry-After': '7' } });
    expect(await toApiError(answer)).toMatchObject({ code: 'too_many', retryAfter: 7 });
  });
});

describe('hasCode', () => {
  it('compares the code alone', () => {
    const error = new ApiError('not_found', 'forbidden');
    expect(hasCode(error, 'not_found')).toBe(true);
    expect(hasCode(error, 'forbidden', 'conflict')).toBe(false);
  });

  it('is false of every other error', () => {
    expect(hasCode(new ApiError(null, ''), 'not_found')).toBe(false);
    expect(hasCode(new ServerUnreachable(), 'not_found')).toBe(false);
    expect(hasCode(null, 'not_found')).toBe(false);
  });
});
