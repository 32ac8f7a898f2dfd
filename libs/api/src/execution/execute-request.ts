import { parseJsonText } from '@waymark/core/adapter';
import { InvalidRequestError } from '../answers/api-errors.js';
import { BodyKind, bodyLimit } from '../requests/body-limits.js';
import { queryOf, type HttpRequest } from '../requests/http-request.js';
import { parseRequestText } from '../requests/json-text.js';
import * as read from '../requests/readers.js';
import { hasJsonType, readText } from '../requests/request-body.js';

const activityHandle = read.optionalMembers({
  activityInstanceId: read.name,
  activityNodeId: read.name,
  activityId: read.name,
  activityHash: read.name,
});

/** What a start may name. */
export const executeRequest = read.members({
  correlationId: read.name,
  name: read.name,
  triggerActivityId: read.name,
  activityHandle,
  versionOptions: read.withDefault(read.versionOptions, 'Published'),
  input: read.dictionary,
  variables: read.dictionary,
});
export type ExecuteRequest = read.ReadBy<typeof executeRequest>;

/**
 * Reads the request of an execute. Only a body declared as JSON counts; unlike elsewhere, the answer says no more than
 * that it is wrong.
 */
export async function readExecuteRequest(request: HttpRequest): Promise<ExecuteRequest> {
  if (!hasJsonType(request)) return executeRequest({}, '');
  const limit = bodyLimit(request, BodyKind.Ordinary);
  const text = await readText(request, limit);
  if (text.trim() === '') return executeRequest({}, '');
  try {
    return executeRequest(await parseRequestText(text, limit), '');
  } catch (error) {
    throw new InvalidRequestError('Invalid request body.', { cause: error });
  }
}

/** The same from a query, in which input and variables are JSON text. */
export function readExecuteQuery(request: HttpRequest): ExecuteRequest {
  const query: Record<string, unknown> = { ...queryOf(request) };
  for (const name of ['input', 'variables', 'activityhandle'])
    if (typeof query[name] === 'string' && query[name].trim() !== '')
      query[name] = understood(`'${name}' is not valid JSON.`, () => parseJsonText(query[name] as string));
    else delete query[name];
  return executeRequest(query, '');
}

function understood<T>(message: string, task: () => T): T {
  try {
    return task();
  } catch (error) {
    throw new InvalidRequestError(message, { cause: error });
  }
}
