import type { WorkflowDefinitionHandle } from './definition-handle.js';

/** A start that is served from the outbox. */
export interface DispatchDefinitionRequest {
  /** The workflow: a definition id (its published version), a version id, or version options. */
  readonly definition: WorkflowDefinitionHandle;
  /** Id of the instance-to-be. @default a new random id */
  readonly workflowInstanceId?: string | undefined;
  /** Correlation id of the instance: its business key. */
  readonly correlationId?: string | undefined;
  /** Name of the instance. @default none */
  readonly name?: string | undefined;
  /** Id of the trigger that it begins with. @default the root of the workflow */
  readonly triggerActivityId?: string | undefined;
  /** Id of the parent instance, when this one is started as a child. */
  readonly parentWorkflowInstanceId?: string | undefined;
  /** Inputs of the workflow, by name. @default none */
  readonly input?: Readonly<Record<string, unknown>> | undefined;
  /** Properties that the starter stores with the instance. @default none */
  readonly properties?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Starts workflows from the outbox: the call returns once the request is stored, and it is served at least once.
 * @example
 * const id = await dispatcher.dispatch({ definition: 'send-newsletter', input: { issue: 7 } });
 */
export abstract class IWorkflowDispatcher {
  /**
   * Stores the request to start an instance. With the id of an instance of the same workflow, nothing more is started: the request was repeated.
   * @returns the id of the instance-to-be
   * @throws DefinitionNotFoundError (`WM1020`), TextNotStorableError (`WM1103`)
   * @throws InstanceExistsError (`WM3002`) an instance of another workflow has the id
   */
  abstract dispatch(request: DispatchDefinitionRequest): Promise<string>;

  /**
   * Stores so many such requests, some hundred in one transaction.
   * @param request without the id of an instance
   * @returns the ids of the instances-to-be @throws as `dispatch`; what was stored before that stays
   */
  abstract dispatchMany(
    request: Omit<DispatchDefinitionRequest, 'workflowInstanceId'>,
    count: number,
  ): Promise<string[]>;
}
