/** A message to the runtime, stored in the commit of the burst and served afterwards. */
export interface OutgoingMessage {
  readonly kind: string;
  readonly payload: unknown;
  /** The instance it is for: when that is cancelled or deleted before the message is served, it goes with it. */
  readonly workflowInstanceId?: string;
  /** Not before this time. @default at once */
  readonly availableAt?: Date;
}
