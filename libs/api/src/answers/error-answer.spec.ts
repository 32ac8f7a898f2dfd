import { readFileSync } from 'node:fs';
import path from 'node:path';
import { WaymarkError } from '@waymark/core';
import { answerOf } from './error-answer.js';
import { InvalidRequestError, UnauthenticatedError } from './api-errors.js';

const coded = (code: string, members: object = {}) =>
  Object.assign(
    new (class extends WaymarkError {
      readonly code = code;
    })('what went wrong'),
    members,
  );

describe('answerOf', () => {
  it.each([
    ['WM1020', 404],
    ['WM1022', 403],
    ['WM3001', 404],
    ['WM5022', 415],
    ['WM8002', 415],
    ['WM8005', 403],
  ])('%s is answered %i with the reason', (code, status) => {
    expect(answerOf(coded(code))).toMatchObject({ status, body: { code, message: 'what went wrong' } });
  });

  it.each([
    ['WM7009', 500, undefined],
    ['WM7014', 503, { 'Retry-After': '5' }],
    ['WM7015', 503, undefined],
  ])('%s is answered %i without the message of the database', (code, status, headers) => {
    const answer = answerOf(coded(code));
    expect([answer?.status, answer?.headers]).toEqual([status, headers]);
    expect(answer?.body).toMatchObject({ code });
    expect(JSON.stringify(answer?.body)).not.toContain('what went wrong');
  });

  it.each(['WM1101', 'WM1104', 'WM1105'])('%s is answered 400, since the text came with the request', (code) => {
    expect(answerOf(coded(code))).toMatchObject({ status: 400 });
  });

  it('tells conflicts apart by their code', () => {
    expect(answerOf(coded('WM7002'))).toEqual({ status: 409, body: { code: 'WM7002', message: 'what went wrong' } });
  });

  it('reports a value that is not a definition under the member', () => {
    expect(answerOf(coded('WM1001', { key: 'model.root' }))?.body).toEqual({
      statusCode: 400,
      message: 'One or more errors occurred!',
      errors: { 'model.root': ['what went wrong'] },
    });
  });

  it('lists everything that keeps a definition from being published', () => {
    const answer = answerOf(coded('WM1023', { problems: [{ message: 'a' }, { message: 'b' }] }));
    expect(answer).toMatchObject({ status: 400, body: { errors: { generalErrors: ['a', 'b'] } } });
  });

  it('sends the envelope as problem details', () => {
    expect(answerOf(new InvalidRequestError('no'))?.headers).toEqual({ 'Content-Type': 'application/problem+json' });
  });

  it('gives each code the status that the documentation says', () => {
    const page = readFileSync(path.resolve(import.meta.dirname, '../../../../docs/errors.md'), 'utf8');
    const table = page.slice(page.indexOf('\n| Status | Codes'), page.indexOf('What **HTTP workflows** answer'));
    const documented = [...table.matchAll(/^\| (\d{3}) +\| (.*) \|$/gm)]
      .filter(([, status]) => status !== '500')
      .flatMap(([, status, codes]) =>
        [...codes!.matchAll(/WM\d{4}/g)].map(([code]) => [code, Number(status)] as const),
      );
    const others = [...page.matchAll(/^\| (WM\d{4}) \|/gm)]
      .map(([, code]) => code!)
      .filter((code) => !documented.some(([known]) => known === code));
    const expected = [...documented, ...others.map((code) => [code, 500] as const)];
    expect(expected.map(([code]) => [code, answerOf(coded(code))?.status])).toEqual(expected);
  });

  it('challenges callers without credentials', () => {
    expect(answerOf(new UnauthenticatedError('Bearer'))).toEqual({
      status: 401,
      headers: { 'WWW-Authenticate': 'Bearer' },
      body: { code: 'WM8004', message: expect.stringContaining('valid credentials') },
    });
  });

  it('answers unknown codes as server errors', () => {
    expect(answerOf(coded('WM2003'))).toEqual({ status: 500, body: { code: 'WM2003', message: 'what went wrong' } });
    expect(answerOf(new Error('x'))).toBeUndefined();
  });
});
