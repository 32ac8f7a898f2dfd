import { flag, integer, mapOf, object, type Schemas, text, texts } from './words.js';

export const COMMON_SCHEMAS: Schemas = {
  Problem: {
    ...object({ statusCode: integer, message: text, errors: mapOf(texts) }),
    description:
      'What is wrong with a request, by member: its path in camelCase, `generalErrors`, or `serializerErrors` for the JSON text.',
  },
  CodedError: {
    ...object({ 'code?': text, 'message?': text }),
    description: 'A code of the list in docs/errors.md, and a sentence.',
  },
  LoginAnswer: object({ isAuthenticated: flag, 'accessToken?': text, 'refreshToken?': text }),
};
