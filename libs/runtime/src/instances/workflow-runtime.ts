import { Injectable } from '@nestjs/common';
import { isWaymarkError, type WorkflowState } from '@waymark/core';
import { WorkflowEngine } from '../engine/workflow-engine.js';
import type { ActivationRefusedError } from '../persistence/persistence-errors.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import type { BurstExtras } from '../bursts/burst-commit-builder.js';
import { BurstExecutor } from '../bursts/burst-executor.js';
import { InstanceDeletion } from './instance-deletion.js';
import { IWorkflowDispatcher } from '../services/dispatch-services.js';
import { InstanceNotFoundError, NotAWorkflowError } from '../services/instance-errors.js';
import type { TypedWorkflow, WorkflowClass, WorkflowTypeClient } from '../services/typed-workflows.js';
import { definitionIdOf } from '../code-first/workflow-decorator.js';
import { InstanceDescriptions } from './instance-descriptions.js';
import { InstanceEnds } from './instance-ends.js';
import { DefaultWorkflowTypeClient } from './workflow-type-client.js';
import { InstanceImport } from './instance-import.js';
import { idOfRequest } from '../engine/request-id.js';
import {
  type CreateInstanceRequest,
  type ImportStateOptions,
  IWorkflowClient,
  IWorkflowRuntime,
  IWorkflowStarter,
  type RunInstanceRequest,
  type RunInstanceResult,
  type StartWorkflowRequest,
  type StartWorkflowResponse,
} from '../services/instance-services.js';

const NEW_ID: BurstExtras = { isNewId: true };
const GIVEN_ID: BurstExtras = {};

@Injectable()
export class WorkflowRuntime extends IWorkflowRuntime {
  constructor(
    private readonly executor: BurstExecutor,
    private readonly persistence: WorkflowPersistence,
    private readonly deletion: InstanceDeletion,
    private readonly imports: InstanceImport,
    private readonly engine: WorkflowEngine,
    private readonly dispatcher: IWorkflowDispatcher,
    private readonly ends: InstanceEnds,
    private readonly descriptions: InstanceDescriptions,
  ) {
    super();
  }

  client<W extends TypedWorkflow>(workflow: WorkflowClass<W>): WorkflowTypeClient<W> {
    const definitionId = definitionIdOf(workflow);
    if (definitionId === undefined) throw new NotAWorkflowError(workflow.name);
    return new DefaultWorkflowTypeClient<W>(definitionId, {
      runtime: this,
      dispatcher: this.dispatcher,
      ends: this.ends,
      descriptions: this.descriptions,
    });
  }

  createClient(workflowInstanceId?: string): Promise<IWorkflowClient> {
    const id = workflowInstanceId ?? this.engine.newId();
    return Promise.resolve(
      new WorkflowClient(
        id,
        workflowInstanceId !== undefined,
        this.executor,
        this.persistence,
        this.deletion,
        this.imports,
      ),
    );
  }
}

class WorkflowClient extends IWorkflowClient {
  constructor(
    public workflowInstanceId: string,
    private readonly isIdGiven: boolean,
    private readonly executor: BurstExecutor,
    private readonly persistence: WorkflowPersistence,
    private readonly deletion: InstanceDeletion,
    private readonly imports: InstanceImport,
  ) {
    super();
  }

  async createInstance(request: CreateInstanceRequest): Promise<void> {
    await this.executor.create(this.idFor(request), request, undefined);
  }

  runInstance(request: RunInstanceRequest = {}): Promise<RunInstanceResult> {
    return this.executor.resume(this.workflowInstanceId, request);
  }

  createAndRunInstance(request: CreateInstanceRequest & RunInstanceRequest): Promise<RunInstanceResult> {
    return this.executor.create(this.idFor(request), request, request, this.isIdGiven ? GIVEN_ID : NEW_ID);
  }

  private idFor({ requestKey }: CreateInstanceRequest): string {
    if (requestKey !== undefined && !this.isIdGiven) this.workflowInstanceId = idOfRequest(requestKey);
    return this.workflowInstanceId;
  }

  cancel(): Promise<boolean> {
    return this.executor.cancel(this.workflowInstanceId);
  }

  async exportState(): Promise<WorkflowState> {
    const loaded = await this.persistence.instances.load(this.workflowInstanceId);
    if (!loaded) throw new InstanceNotFoundError(this.workflowInstanceId);
    return loaded.state;
  }

  importState(state: WorkflowState, options?: ImportStateOptions): Promise<void> {
    return this.imports.importState({ ...state, id: this.workflowInstanceId }, undefined, options);
  }

  async instanceExists(): Promise<boolean> {
    return (await this.persistence.instances.count({ ids: [this.workflowInstanceId] })) > 0;
  }

  async delete(): Promise<boolean> {
    return (await this.deletion.delete([this.workflowInstanceId])) > 0;
  }
}

/** Turns a refusal by the activation strategy into an answer. */
@Injectable()
export class WorkflowStarter extends IWorkflowStarter {
  constructor(
    private readonly executor: BurstExecutor,
    private readonly engine: WorkflowEngine,
  ) {
    super();
  }

  async start(request: StartWorkflowRequest): Promise<StartWorkflowResponse> {
    try {
      const { workflowInstanceId, requestKey } = request;
      const extras = workflowInstanceId === undefined ? NEW_ID : GIVEN_ID;
      const id = workflowInstanceId ?? (requestKey === undefined ? this.engine.newId() : idOfRequest(requestKey));
      return { cannotStart: false, result: await this.executor.create(id, request, request, extras) };
    } catch (error) {
      if (!isWaymarkError(error, 'WM7005')) throw error;
      return { cannotStart: true, refusedKey: (error as unknown as ActivationRefusedError).activationKey };
    }
  }
}
