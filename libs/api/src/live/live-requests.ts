import { ForbiddenError, InvalidRequestError } from '../answers/api-errors.js';
import * as read from '../requests/readers.js';
import { LIVE_TOPICS, type LiveFilter, type LiveTopic } from './live-events.js';

/** Each of them is read in every look. */
const MOST_INSTANCES = 50;
const MOST_DEFINITIONS = 1_000;

export const streamRequest = read.members({
  topic: read.list(read.oneOf(LIVE_TOPICS)),
  workflowInstanceId: read.list(read.name),
  definitionId: read.list(read.name),
  lastEventId: read.name,
});

/**
 * Without topics, a request for instances by id follows instances, and any other request all topics that are allowed.
 * @param allowed topics that the client may follow
 * @throws ForbiddenError, InvalidRequestError
 */
export function toFilter(
  { topic, workflowInstanceId, definitionId }: read.ReadBy<typeof streamRequest>,
  allowed: readonly LiveTopic[],
): LiveFilter {
  const isOfInstances = workflowInstanceId !== undefined && workflowInstanceId.length > 0;
  const asked = topic?.length ? topic : isOfInstances ? (['instances'] as const) : undefined;
  const refused = asked?.find((name) => !allowed.includes(name));
  if (refused)
    throw new ForbiddenError(
      `These credentials do not allow following ${refused}. Use others, or leave the topic out.`,
    );
  return {
    topics: new Set(asked ?? allowed),
    workflowInstanceIds: idsOf('workflowInstanceId', workflowInstanceId, MOST_INSTANCES),
    definitionIds: idsOf('definitionId', definitionId, MOST_DEFINITIONS),
  };
}

function idsOf(name: string, ids: readonly string[] | undefined, most: number): ReadonlySet<string> | undefined {
  if (!ids?.length) return undefined;
  if (ids.length > most)
    throw InvalidRequestError.at(name, `'${name}' must be given ${most} times at most, but it is ${ids.length} times.`);
  return new Set(ids);
}
