import type { HostileRequest } from './hostile-request.js';
import { randomRequest } from './random-bodies.js';
import { randomExpression } from './random-expressions.js';
import { randomForm } from './random-forms.js';
import { randomHead } from './random-headers.js';
import { randomPath, randomTemplate } from './random-routes.js';

/** What makes a request by a seed, by what it is odd in. */
export const FUZZERS: Readonly<Record<string, (seed: number) => HostileRequest>> = {
  bodies: randomRequest,
  routes: randomPath,
  templates: randomTemplate,
  headers: randomHead,
  forms: randomForm,
  expressions: randomExpression,
};
