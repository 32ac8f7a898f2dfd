export type LiveTopic = 'instances' | 'definitions' | 'operations';

export const LIVE_TOPICS: readonly LiveTopic[] = ['instances', 'definitions', 'operations'];

/** The new state of an instance or a definition that changed, or a note that figures of the operations page changed. */
export interface LiveEvent {
  readonly name:
    | 'instance-changed'
    | 'instance-deleted'
    | 'definition-changed'
    | 'definition-deleted'
    | 'operations-changed';
  readonly topic: LiveTopic;
  readonly workflowInstanceId?: string;
  /** Undefined for a deleted instance that had not been reported before. */
  readonly definitionId: string | undefined;
  readonly data: object;
}

/** What a client wants to follow. */
export interface LiveFilter {
  readonly topics: ReadonlySet<LiveTopic>;
  /** Undefined: all. */
  readonly workflowInstanceIds?: ReadonlySet<string> | undefined;
  /** Undefined: all. */
  readonly definitionIds?: ReadonlySet<string> | undefined;
}

export function isWanted({ topics, workflowInstanceIds, definitionIds }: LiveFilter, event: LiveEvent): boolean {
  if (!topics.has(event.topic)) return false;
  if (event.topic === 'instances' && workflowInstanceIds && !workflowInstanceIds.has(event.workflowInstanceId!))
    return false;
  if (event.topic === 'operations') return true;
  return !definitionIds || (event.definitionId !== undefined && definitionIds.has(event.definitionId));
}

/** The event in the format of server-sent events. @param position from which a client resumes that has received it */
export const eventText = (name: string, data: object, position?: string): string =>
  `${position === undefined ? '' : `id: ${position}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
