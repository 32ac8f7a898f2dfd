import type { OutputDescriptor } from '../activities/activity-descriptor.js';
import type { ActivityRegistration } from '../activities/activity-registry.js';
import type { ActivityBase } from '../execution/activity-base.js';
import type { RetryPolicy } from '../definitions/retry-policy.js';
import type { Variable } from './variable.js';
import type { LogPersistenceRules } from './log-persistence.js';
import type { CompiledInput } from './compiled-input.js';

/** Where an output goes besides the journal. */
export interface OutputBinding {
  readonly outputName: string;
  /** Variable id, or name of a workflow output. */
  readonly targetId: string;
}

/** Workflow facts of a node that is itself a workflow: the root, or a workflow used as an activity. */
export interface NestedWorkflow {
  readonly definitionId: string;
  readonly definitionVersionId: string;
  readonly version: number;
  readonly inputNames: readonly string[];
  /** Those of the inputs that are stored encrypted. */
  readonly encryptedNames: readonly string[];
  readonly outputs: readonly { readonly name: string; readonly typeName: string; readonly isArray: boolean }[];
}

/** One activity of a compiled workflow. Immutable once the graph is built; shared by all instances. */
export class ActivityNode {
  readonly children: ActivityNode[] = [];
  // Read for every execution, hence not looked up in the descriptor each time.
  readonly type: string;
  readonly version: number;
  readonly isTerminal: boolean;
  readonly outputDescriptors: readonly OutputDescriptor[];
  /** True: the activity has a `canExecute` to be asked. */
  readonly hasPrecondition: boolean;
  inputs: readonly CompiledInput[] = [];
  /** Of these, the ones that are evaluated before the activity executes. */
  evaluatedInputs: readonly CompiledInput[] = [];
  outputs: ReadonlyMap<string, OutputBinding> = new Map();
  variables: readonly Variable[] = [];
  /** Set for a node that opens the scope of a workflow used as an activity. */
  nestedWorkflow: NestedWorkflow | undefined = undefined;
  logPersistence: LogPersistenceRules | undefined = undefined;
  retryPolicy: RetryPolicy | undefined = undefined;
  /** Inputs of which each execution has to be asked whether they hold a secret, as a redaction has judged those that never change. */
  judgedInputs: { readonly by: object; readonly doubtful: readonly string[] } | undefined = undefined;
  /** How long one attempt may take once it waits. */
  timeoutMs: number | undefined = undefined;
  /** Executed by a worker outside of the burst, if the host has workers. */
  isBackground = false;
  /** Set on every execution object: child nodes and unwrapped inputs, by property name. */
  private readonly constants: { readonly name: string; readonly value: unknown }[] = [];

  constructor(
    readonly id: string,
    readonly nodeId: string,
    readonly name: string | undefined,
    readonly registration: ActivityRegistration,
    readonly parent: ActivityNode | undefined,
    readonly portName: string | undefined,
    readonly customProperties: Readonly<Record<string, unknown>>,
    readonly metadata: Readonly<Record<string, unknown>>,
  ) {
    const { typeName, version, isTerminal, outputs } = registration.descriptor;
    this.type = typeName;
    this.version = version;
    this.isTerminal = isTerminal;
    this.outputDescriptors = outputs;
    this.hasPrecondition = (registration.provider as Partial<ActivityBase>).canExecute !== undefined;
    parent?.children.push(this);
  }

  setConstant(name: string, value: unknown): void {
    this.constants.push({ name, value });
  }

  /**
   * The object for one execution: inherits from the provider. All executions of a type share that one prototype; one per
   * node would give each its own hidden class and make every property access in the engine slow.
   */
  createActivity(): ActivityBase {
    const activity = Object.create(this.registration.provider) as Record<string, unknown>;
    const { constants } = this;
    for (let i = 0; i < constants.length; i++) activity[constants[i]!.name] = constants[i]!.value;
    return activity as unknown as ActivityBase;
  }

  get canStartWorkflow(): boolean {
    return this.customProperties.canStartWorkflow === true;
  }
}
