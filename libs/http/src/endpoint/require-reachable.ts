import { METHODS } from 'node:http';
import { toMilliseconds } from '@waymark/core/adapter';
import type { EndpointInputs } from './build-payloads.js';
import { EndpointInputError } from './endpoint-errors.js';
import { requireReachablePath } from './require-reachable-path.js';

/** What both adapters hand on to routes, where this version of Node reads it. CONNECT asks for a tunnel, which is not a request. */
const SERVED = new Set(
  'GET HEAD POST PUT PATCH DELETE OPTIONS TRACE QUERY SEARCH PROPFIND PROPPATCH MKCOL COPY MOVE LOCK UNLOCK'
    .split(' ')
    .filter((method) => METHODS.includes(method)),
);

/**
 * Refuses an endpoint that no request could reach, or whose limits no request could satisfy.
 * @throws EndpointPathError, EndpointInputError
 */
export function requireReachable(inputs: EndpointInputs): void {
  const { path, supportedMethods, requestTimeout } = inputs;
  if (path) requireReachablePath(path);
  if (supportedMethods) requireMethods(supportedMethods);
  for (const [name, size] of [
    ['RequestSizeLimit', inputs.requestSizeLimit],
    ['FileSizeLimit', inputs.fileSizeLimit],
  ] as const)
    if (size !== null && size !== undefined && size < 0)
      throw new EndpointInputError(
        name,
        `is ${size}, and a size cannot be negative`,
        'Give a number of bytes, or leave it out for the limit of the application',
      );
  if ((toMilliseconds(requestTimeout) ?? 0) < 0)
    throw new EndpointInputError(
      'RequestTimeout',
      `is ${requestTimeout}, and a time limit cannot be negative`,
      "Give a time span such as '00:00:30', or leave it out for no limit",
    );
}

/** An endpoint that starts workflows needs a path: without one it would serve that of all endpoints. @throws EndpointInputError */
export function requirePath({ path }: EndpointInputs): void {
  if ((path ?? '').trim() === '')
    throw new EndpointInputError(
      'Path',
      'is empty',
      'Give a path such as "orders/{id}", or "/" for the base path itself',
    );
}

function requireMethods(methods: readonly string[]): void {
  const given = methods.map((method) => method.trim()).filter(Boolean);
  const advice = 'List methods such as GET and POST, or leave it out for GET';
  if (given.length === 0) throw new EndpointInputError('SupportedMethods', 'names no method', advice);
  const unknown = given.find((method) => !SERVED.has(method.toUpperCase()));
  if (unknown !== undefined)
    throw new EndpointInputError('SupportedMethods', `names "${unknown}", which is not supported`, advice);
}
