import { expect, it } from '@jest/globals';
import { type OpenApiDocument } from '@waymark/runtime';
import { OPEN_API_VERSION } from '@waymark/runtime/adapter';
import { json } from './operations/route-description.js';
import { listOf, nullable, object, ref, text } from './schemas/words.js';
import { AnswerCheck } from './testing/answer-check.js';

// The check by which all specifications of the API compare answers with its document: it has to refuse what is wrong.

const document: OpenApiDocument = {
  openapi: OPEN_API_VERSION,
  info: { title: 'Things', version: '1' },
  tags: [],
  paths: {
    '/things': {
      get: {
        operationId: 'listThings',
        summary: 'Lists things',
        tags: ['Things'],
        responses: {
          200: { description: 'Done.', content: json(object({ items: listOf(ref('Thing')) })) },
          204: { description: 'None.' },
        },
      },
    },
    '/things/{id}': {
      get: {
        operationId: 'getThing',
        summary: 'A thing',
        tags: ['Things'],
        responses: { 200: { description: 'Done.', content: json(ref('Thing')) }, 409: { description: 'No.' } },
      },
    },
  },
  components: {
    schemas: { Thing: object({ id: text, name: nullable(text), 'note?': text }) },
    responses: {},
    securitySchemes: {},
  },
};
const check = new AnswerCheck(document);
const problemsOf = (path: string, body: unknown, more: object = {}) =>
  check.problemsOf({
    method: 'GET',
    path,
    status: 200,
    contentType: 'application/json; charset=utf-8',
    text: JSON.stringify(body),
    ...more,
  });

it.each([
  ['a list', '/things?page=1', { items: [{ id: 'a', name: null }] }],
  ['one', '/things/a', { id: 'a', name: 'A', note: 'n' }],
])('accepts %s that matches its description', (_name, path, body) => {
  expect(problemsOf(path, body)).toEqual([]);
});

it.each([
  ['a member that is missing', '/things/a', { id: 'a' }],
  ['a member that is not described', '/things/a', { id: 'a', name: 'A', size: 1 }],
  ['the same within a list', '/things', { items: [{ id: 'a', name: 'A', size: 1 }] }],
  ['a value of another type', '/things/a', { id: 1, name: 'A' }],
  ['null where it is not described', '/things/a', { id: null, name: 'A' }],
])('refuses %s', (_name, path, body) => {
  expect(problemsOf(path, body)).toHaveLength(1);
});

it.each([
  ['a status', { status: 202 }],
  ['a content type', { contentType: 'text/plain' }],
])('refuses %s that is not described', (_name, more) => {
  expect(problemsOf('/things/a', { id: 'a', name: 'A' }, more)).toHaveLength(1);
});

it('refuses an empty answer that is described with content, and content of one that is described as empty', () => {
  expect(problemsOf('/things/a', undefined, { text: '' })).toHaveLength(1);
  expect(problemsOf('/things/a', { id: 'a' }, { status: 409 })).toHaveLength(1);
});

it('ignores routes that the document does not describe', () => {
  expect(problemsOf('/others', { any: 1 })).toEqual([]);
  expect(problemsOf('/things', '', { status: 204, text: '' })).toEqual([]);
});
