import { anonymousRequest, apiRequest, filePart, form, FORM, type HostileRequest } from './hostile-request.js';
import { chancesOf } from './seeded.js';

const PIECES = [
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '"',
  '\\',
  'null',
  'true',
  '1e999',
  '-0',
  '"a"',
  '"__proto__"',
  '\\ud800',
  '\0',
  ' ',
];
const NAMES = [
  'input',
  'ids',
  'model',
  'root',
  'type',
  'activities',
  'definitionIds',
  'variables',
  'publish',
  '__proto__',
];
const SCALARS = [
  'null',
  'true',
  '0',
  '-1',
  '1e400',
  '""',
  '"Elsa.Sequence"',
  '"Elsa.HttpEndpoint"',
  '"\\u0000"',
  '"🂡"',
];
const PATHS = [
  '/workflow-definitions',
  '/workflow-definitions/import',
  '/workflow-definitions/echo/execute',
  '/workflow-definitions/echo/dispatch',
  '/workflow-instances',
  '/bulk-actions/cancel/workflow-instances',
  '/bulk-actions/delete/workflow-definitions/by-definition-id',
  '/alterations/dry-run',
  '/alterations/submit',
  '/events/never/trigger',
  '/tests/activities',
  '/tasks/none/complete',
];
const FILENAMES = [
  'a.json',
  'a.zip',
  '__proto__',
  '../../a.json',
  'a".json',
  '\r\nX: y',
  '',
  'ü.json',
  'a'.repeat(5000),
];

/** A request made by a seed: JSON of a shape that routes read, broken JSON, or a form. */
export function randomRequest(seed: number): HostileRequest {
  const { next, pick } = chancesOf(seed);
  const value = (depth: number): string => {
    switch (next(depth > 4 ? 1 : 4)) {
      case 1:
        return `[${Array.from({ length: next(5) }, () => value(depth + 1)).join(',')}]`;
      case 2:
      case 3:
        return `{${Array.from({ length: next(6) }, () => `"${pick(NAMES)}":${value(depth + 1)}`).join(',')}}`;
      default:
        return pick(SCALARS);
    }
  };
  const shape = (): string => `{${Array.from({ length: 4 }, () => `"${pick(NAMES)}":${value(0)}`).join(',')}}`;
  const broken = (): string => Array.from({ length: 1 + next(200) }, () => pick(PIECES)).join('');
  const text = next(3) === 0 ? broken() : shape();
  switch (next(4)) {
    case 0:
      return anonymousRequest(
        `seed ${seed}`,
        pick(['/workflows/echo', '/workflows/keep', '/elsa/api/identity/login']),
        () => text,
      );
    case 1: {
      const parts = Array.from({ length: next(6) }, () =>
        filePart(pick(FILENAMES), next(2) ? text : broken(), pick(['files', 'a', '__proto__'])),
      );
      const whole = form(parts);
      const body = next(3) === 0 ? whole.subarray(0, next(whole.length)) : whole;
      const path = pick(['/workflow-definitions/import-files', '/bulk-actions/import/workflow-instances']);
      return next(2)
        ? apiRequest(`seed ${seed}`, path, () => body, { type: FORM })
        : anonymousRequest(`seed ${seed}`, pick(['/workflows/echo', '/workflows/keep']), () => body, FORM);
    }
    default:
      return apiRequest(`seed ${seed}`, pick(PATHS), () => text);
  }
}
