import { flag, integer, mapOf, object, type Schemas, text, texts } from './words.js';

export const COMMON_SCHEMAS: Schemas = {
  Problem: {
    ...object({ statusCode: integer, message: text, errors: mapOf(texts) }),
    description:
      'What is wrong with a request, by member: its path in camelCase, `generalErrors`, or `serializerErrors` for the JSON text.',
  },
  CodedError: {
    ...object({ 'code?': text, 'message?': text }),
    description: 'A stable code of Waymark, such as `WM1020`, and a sentence that says what to do.',
  },
  LoginAnswer: object({ isAuthenticated: flag, 'accessToken?': text, 'refreshToken?': text }),
};
