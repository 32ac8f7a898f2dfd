import { WorkflowNotFinishedError } from '../services/instance-errors.js';
import type { IWorkflowDispatcher } from '../services/dispatch-services.js';
import type { IWorkflowRuntime, RunInstanceResult } from '../services/instance-services.js';
import type {
  InstanceDescription,
  ResultOptions,
  StartOptions,
  TypedWorkflow,
  WorkflowHandle,
  WorkflowInputs,
  WorkflowOutputs,
  WorkflowResult,
  WorkflowTypeClient,
} from '../services/typed-workflows.js';
import type { InstanceDescriptions } from './instance-descriptions.js';
import { type InstanceEnds, requireTimeout } from './instance-ends.js';

interface Services {
  readonly runtime: Pick<IWorkflowRuntime, 'createClient'>;
  readonly dispatcher: Pick<IWorkflowDispatcher, 'dispatch'>;
  readonly ends: Pick<InstanceEnds, 'wait' | 'requireOf'>;
  readonly descriptions: Pick<InstanceDescriptions, 'describe'>;
}

type Input<W> = WorkflowInputs<W> & Readonly<Record<string, unknown>>;

/** Types are all that it adds: inputs are checked where every instance is started. */
export class DefaultWorkflowTypeClient<W extends TypedWorkflow> implements WorkflowTypeClient<W> {
  constructor(
    readonly definitionId: string,
    private readonly services: Services,
  ) {}

  async start(input?: WorkflowInputs<W>, { workflowInstanceId, ...options }: StartOptions = {}) {
    const client = await this.services.runtime.createClient(workflowInstanceId);
    const request = { ...options, definition: this.definitionId, input: input as Input<W> | undefined };
    const started = await client.createAndRunInstance(request);
    return new InstanceHandle<W>(started.workflowInstanceId, this.definitionId, this.services, started);
  }

  async run(input?: WorkflowInputs<W>, { timeoutMs, ...options }: StartOptions & ResultOptions = {}) {
    requireTimeout(timeoutMs);
    const handle = await this.start(input, options);
    return handle.resultOrThrow({ timeoutMs, signal: options.signal });
  }

  async dispatch(
    input?: WorkflowInputs<W>,
    options: Omit<StartOptions, 'requestKey' | 'claimsFirst' | 'signal' | 'transient'> = {},
  ) {
    const request = { ...options, definition: this.definitionId, input: input as Input<W> | undefined };
    return new InstanceHandle<W>(
      await this.services.dispatcher.dispatch(request),
      this.definitionId,
      this.services,
      'dispatched',
    );
  }

  handle(workflowInstanceId: string): WorkflowHandle<W> {
    return new InstanceHandle<W>(workflowInstanceId, this.definitionId, this.services);
  }
}

class InstanceHandle<W extends TypedWorkflow> implements WorkflowHandle<W> {
  /** @param known how it was left by its start: one that ends at once may not be kept anywhere */
  constructor(
    readonly workflowInstanceId: string,
    private readonly definitionId: string,
    private readonly services: Services,
    private readonly known?: RunInstanceResult | 'dispatched',
  ) {}

  describe(): Promise<InstanceDescription> {
    return this.services.descriptions.describe(this.definitionId, this.workflowInstanceId);
  }

  async result(options: ResultOptions = {}): Promise<WorkflowResult<W>> {
    const { known, workflowInstanceId: id, definitionId } = this;
    requireTimeout(options.timeoutMs);
    if (typeof known === 'object' && known.status === 'Finished') return this.ended(known);
    return this.ended(await this.services.ends.wait({ id, definitionId, mayCome: known === 'dispatched' }, options));
  }

  async resultOrThrow(options: ResultOptions = {}): Promise<WorkflowOutputs<W>> {
    const { subStatus, output, incidents } = await this.result(options);
    if (subStatus === 'Finished') return output;
    throw new WorkflowNotFinishedError(this.workflowInstanceId, subStatus, incidents);
  }

  async cancel(): Promise<boolean> {
    await this.services.ends.requireOf(this.definitionId, this.workflowInstanceId);
    return (await this.services.runtime.createClient(this.workflowInstanceId)).cancel();
  }

  private ended(end: Pick<RunInstanceResult, 'subStatus' | 'output' | 'incidents'>): WorkflowResult<W> {
    const { workflowInstanceId } = this;
    const { output, incidents } = end;
    const subStatus = end.subStatus as WorkflowResult<W>['subStatus'];
    return { workflowInstanceId, subStatus, output: output as WorkflowOutputs<W>, incidents };
  }
}
