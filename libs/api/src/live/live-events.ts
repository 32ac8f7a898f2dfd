export type LiveTopic = 'instances' | 'definitions' | 'operations';

export const LIVE_TOPICS: readonly LiveTopic[] = ['instances', 'definitions', 'operations'];

/** A change of an instance or a definition: what it is now; or that something of the operations is not as it was. */
export interface LiveEvent {
  readonly name:
    'instance-changed' | 'instance-deleted' | 'definition-changed' | 'definition-deleted' | 'operations-changed';
  readonly topic: LiveTopic;
  readonly workflowInstanceId?: string;
  /** Undefined: of an instance that is gone, and was not seen before. */
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

/** As it goes over the wire. @param position where a client that has read it goes on */
export const eventText = (name: string, data: object, position?: string): string =>
  `${position === undefined ? '' : `id: ${position}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
