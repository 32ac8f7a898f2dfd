import type {
  ActivityIncident,
  DeclaredInput,
  DeclaredInputs,
  DeclaredOutput,
  DeclaredOutputs,
  WorkflowStatus,
  WorkflowSubStatus,
} from '@waymark/core';
import type { CreateInstanceRequest, RunInstanceRequest } from './instance-services.js';

/** The declarations of a workflow class. Without `inputs` it accepts any inputs; without `outputs` its outputs are untyped. */
export interface TypedWorkflow {
  /** Declared inputs. */
  readonly inputs?: DeclaredInputs;
  /** Declared outputs. */
  readonly outputs?: DeclaredOutputs;
  /** Builds the workflow. */
  build(w: never): unknown;
}

/** A class with `@Workflow()`. */
// oxlint-disable-next-line typescript/no-explicit-any -- the shape that every class fits
export type WorkflowClass<W extends TypedWorkflow = TypedWorkflow> = abstract new (...args: any[]) => W;

type Anything = Readonly<Record<string, unknown>>;
type RequiredNames<I> = { [K in keyof I]: I[K] extends DeclaredInput<infer _, true> ? K : never }[keyof I];
type InputValue<D> = D extends DeclaredInput<infer T, boolean> ? T : never;

/** The inputs that callers give to a workflow class; optional ones may be left out. */
export type WorkflowInputs<W> = W extends { readonly inputs: infer I }
  ? { readonly [K in RequiredNames<I>]: InputValue<I[K]> } & {
      readonly [K in Exclude<keyof I, RequiredNames<I>>]?: InputValue<I[K]>;
    }
  : Anything;

/** The outputs of a workflow class. An output without an assigned value is missing. */
export type WorkflowOutputs<W> = W extends { readonly outputs: infer O }
  ? { readonly [K in keyof O]?: O[K] extends DeclaredOutput<infer T> ? T : never }
  : Anything;

/** Options of a start, besides its inputs. */
export type StartOptions = Pick<
  CreateInstanceRequest,
  'correlationId' | 'name' | 'properties' | 'requestKey' | 'claimsFirst'
> &
  Pick<RunInstanceRequest, 'signal' | 'transient'> & {
    /** @default a new random id */
    readonly workflowInstanceId?: string;
  };

// oxlint-disable-next-line typescript/no-empty-object-type -- whether nothing would do
type TakesNothing<W> = {} extends WorkflowInputs<W> ? true : false;

/** Arguments of a start; the inputs may be left out if none is required. */
export type StartArguments<W, Options = StartOptions> =
  TakesNothing<W> extends true
    ? [input?: WorkflowInputs<W>, options?: Options]
    : [input: WorkflowInputs<W>, options?: Options];

/** How long to wait for a result. */
export interface ResultOptions {
  /** How long to wait, in milliseconds. @default 60000 */
  readonly timeoutMs?: number | undefined;
  /** Ends the waiting, not the instance. */
  readonly signal?: AbortSignal | undefined;
}

interface Ended<W, Status extends string> {
  readonly workflowInstanceId: string;
  readonly subStatus: Status;
  /** Its outputs so far. */
  readonly output: WorkflowOutputs<W>;
  readonly incidents: readonly ActivityIncident[];
}

/** How an instance has ended. */
export type WorkflowResult<W> = Ended<W, 'Finished'> | Ended<W, 'Faulted'> | Ended<W, 'Cancelled'>;

/** Where an instance stands. */
export interface InstanceDescription {
  /** Id of the workflow instance. */
  readonly workflowInstanceId: string;
  /** Number of the version that it runs. */
  readonly version: number;
  /** Whether it runs or has finished. */
  readonly status: WorkflowStatus;
  /** More exactly: pending, executing, suspended, finished, faulted or cancelled. */
  readonly subStatus: WorkflowSubStatus;
  /** Its name, if it has one. */
  readonly name: string | undefined;
  /** Its business key, if it has one. */
  readonly correlationId: string | undefined;
  /** Its recorded faults, oldest first. */
  readonly incidents: readonly ActivityIncident[];
  /**
   * Variables of the workflow by name, null for those that are not set. Secrets and variables that are stored encrypted are
   * `(redacted)`, so the description may be sent to clients.
   */
  readonly variables: Readonly<Record<string, unknown>>;
  /** When it was started. */
  readonly createdAt: Date;
  /** When it was last stored. */
  readonly updatedAt: Date;
}

/** One instance of a workflow class. */
export interface WorkflowHandle<W extends TypedWorkflow = TypedWorkflow> {
  /** Id of the workflow instance. */
  readonly workflowInstanceId: string;
  /**
   * Where the instance stands: status, incidents, and the values of its variables. Does not wait. Reads the state of the instance, so do not
   * call it for hundreds of instances at once; lists are in `WorkflowPersistence.instances`.
   * @throws InstanceNotFoundError (`WM3001`), also before the start of a dispatched one; ForeignInstanceError (`WM1041`) it is one of
   * another workflow
   */
  describe(): Promise<InstanceDescription>;
  /**
   * Waits for the end of the instance, on whichever node that is.
   * @throws WorkflowResultTimeoutError (`WM1037`), ForeignInstanceError (`WM1041`) it is one of another workflow,
   * ResultTimeoutOptionError (`WM1042`), InstanceNotFoundError (`WM3001`); the reason of the signal
   */
  result(options?: ResultOptions): Promise<WorkflowResult<W>>;
  /**
   * Waits for the end of the instance, and returns its outputs.
   * @throws WorkflowNotFinishedError (`WM1038`) it was faulted or cancelled; as `result`
   */
  resultOrThrow(options?: ResultOptions): Promise<WorkflowOutputs<W>>;
  /**
   * Cancels the instance. Returns false if it had already ended.
   * @throws InstanceNotFoundError (`WM3001`), ForeignInstanceError (`WM1041`)
   */
  cancel(): Promise<boolean>;
}

/** Starts instances of one workflow class: inputs and outputs are those that the class declares. */
export interface WorkflowTypeClient<W extends TypedWorkflow = TypedWorkflow> {
  /** Logical id of the workflow definition, which all its versions share. */
  readonly definitionId: string;
  /**
   * Starts an instance: its first burst is committed when the call returns.
   * @throws WorkflowInputError (`WM1036`), DefinitionNotFoundError (`WM1020`), ActivationRefusedError (`WM7005`),
   *   InstanceExistsError (`WM3002`)
   */
  start(...args: StartArguments<W>): Promise<WorkflowHandle<W>>;
  /** Starts an instance and waits for its outputs. @throws as `start` and `resultOrThrow` */
  run(...args: StartArguments<W, StartOptions & ResultOptions>): Promise<WorkflowOutputs<W>>;
  /** Stores a request to start an instance and returns; any node starts it from the outbox. @throws as `start` */
  dispatch(
    ...args: StartArguments<W, Pick<StartOptions, 'correlationId' | 'name' | 'properties' | 'workflowInstanceId'>>
  ): Promise<WorkflowHandle<W>>;
  /** Returns the handle of an existing instance. */
  handle(workflowInstanceId: string): WorkflowHandle<W>;
}
