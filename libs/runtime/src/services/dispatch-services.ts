import type { WorkflowDefinitionHandle } from './definition-handle.js';

export interface DispatchDefinitionRequest {
  readonly definition: WorkflowDefinitionHandle;
  /** @default a new random id */
  readonly workflowInstanceId?: string;
  readonly correlationId?: string;
  readonly name?: string;
  readonly triggerActivityId?: string;
  readonly parentWorkflowInstanceId?: string;
  readonly input?: Readonly<Record<string, unknown>>;
  readonly properties?: Readonly<Record<string, unknown>>;
}

/** Starts workflows from the outbox: the call returns once the request is stored, and it is served at least once. */
export abstract class IWorkflowDispatcher {
  /** @returns the id of the instance-to-be @throws DefinitionNotFoundError, TextNotStorableError */
  abstract dispatch(request: DispatchDefinitionRequest): Promise<string>;
}
