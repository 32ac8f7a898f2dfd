/** A message to the runtime, stored in the commit of the burst and served afterwards. */
export interface OutgoingMessage {
  /** Which handler serves it. */
  readonly kind: string;
  /** What the handler needs; any value that states may hold. */
  readonly payload: unknown;
  /** The instance it is for. If that is cancelled or deleted before the message is served, the message is deleted with it. */
  readonly workflowInstanceId?: string;
  /** Earliest time at which it is served. @default at once */
  readonly availableAt?: Date;
}
