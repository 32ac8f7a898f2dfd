import type { OutputDescriptor } from '../activities/activity-descriptor.js';
import type { ActivityRegistration } from '../activities/activity-registry.js';
import type { ActivityBase } from '../execution/activity-base.js';
import type { RetryPolicy } from '../definitions/retry-policy.js';
import type { Variable } from './variable.js';
import type { LogPersistenceRules } from './log-persistence.js';
import type { CompiledInput } from './compiled-input.js';

/** Where an output goes besides the journal. */
export interface OutputBinding {
  /** Name of the output. */
  readonly outputName: string;
  /** Variable id, or name of a workflow output. */
  readonly targetId: string;
}

/** Workflow facts of a node that is itself a workflow: the root, or a workflow used as an activity. */
export interface NestedWorkflow {
  /** Logical id of the definition. */
  readonly definitionId: string;
  /** Id of the version. */
  readonly definitionVersionId: string;
  /** Number of the version. */
  readonly version: number;
  /** Names of its inputs. */
  readonly inputNames: readonly string[];
  /** Those of the inputs that are stored encrypted. */
  readonly encryptedNames: readonly string[];
  /** Those that are kept in memory only, until the burst ends. */
  readonly memoryNames: readonly string[];
  /** Its outputs. */
  readonly outputs: readonly { readonly name: string; readonly typeName: string; readonly isArray: boolean }[];
}

/** Up to here it is faster to look at outputs one by one. */
const FEW = 8;

/** One activity of a compiled workflow. Immutable once the graph is built; shared by all instances. */
export class ActivityNode {
  /** The activities that it holds. */
  readonly children: ActivityNode[] = [];
  // Read for every execution, hence not looked up in the descriptor each time.
  /** Type name of the activity. */
  readonly type: string;
  /** Version of the activity type. */
  readonly version: number;
  /** If true, nothing follows it. */
  readonly isTerminal: boolean;
  /** Its outputs, as its class declares them. */
  readonly outputDescriptors: readonly OutputDescriptor[];
  /** If true, the activity has a `canExecute` to be asked. */
  readonly hasPrecondition: boolean;
  /** Its inputs, compiled. */
  inputs: readonly CompiledInput[] = [];
  /** Of these, the ones that are evaluated before the activity executes. */
  evaluatedInputs: readonly CompiledInput[] = [];
  /** Where its outputs are written, by name. */
  outputs: ReadonlyMap<string, OutputBinding> = new Map();
  /** Variables that it declares. */
  variables: readonly Variable[] = [];
  /** Set for a node that opens the scope of a workflow used as an activity. */
  nestedWorkflow: NestedWorkflow | undefined = undefined;
  /** What its records keep. */
  logPersistence: LogPersistenceRules | undefined = undefined;
  /** Its retry policy; undefined: it has none. */
  retryPolicy: RetryPolicy | undefined = undefined;
  /**
   * Inputs of which each execution has to be asked whether they hold a secret, as a redaction has judged those that never
   * change.
   */
  judgedInputs: { readonly by: object; readonly doubtful: readonly string[] } | undefined = undefined;
  /** How long one attempt may take once it waits. */
  timeoutMs: number | undefined = undefined;
  /** If false, its inputs have no rules to be validated by. The validator of the host says so when it has looked. */
  hasInputRules: boolean | undefined = undefined;
  /** If true, it is executed as soon as its inputs are evaluated, within the burst. */
  isPlain = false;
  /** Executed by a worker outside of the burst, if the host has workers. */
  isBackground = false;
  /** By name and by property name, once they were asked for. */
  private outputNames: ReadonlyMap<string, string> | undefined;
  /** Set on every execution object: child nodes and unwrapped inputs, by property name. */
  private readonly constants: { readonly name: string; readonly value: unknown }[] = [];

  constructor(
    /** Id of the activity within its definition. */
    readonly id: string,
    /** Its id behind those of its ancestors. */
    readonly nodeId: string,
    /** Name by which expressions find its outputs. */
    readonly name: string | undefined,
    /** The registered activity type. */
    readonly registration: ActivityRegistration,
    /** The activity that holds it; undefined: it is the root. */
    readonly parent: ActivityNode | undefined,
    /** Port of the parent that holds it. */
    readonly portName: string | undefined,
    /** Custom properties of its JSON. */
    readonly customProperties: Readonly<Record<string, unknown>>,
    /** Metadata of its JSON. */
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

  /** Name of the output that has that name or property name. */
  outputName(name: string): string | undefined {
    const { outputDescriptors } = this;
    if (outputDescriptors.length <= FEW)
      return outputDescriptors.find((o) => o.name === name || o.propertyName === name)?.name;
    // A workflow used as an activity may have thousands, and sets them all.
    this.outputNames ??= new Map(
      outputDescriptors.toReversed().flatMap((o) => [
        [o.propertyName, o.name],
        [o.name, o.name],
      ]),
    );
    return this.outputNames.get(name);
  }

  /** Gives a member the same value in all executions. */
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

  /** True if it is a trigger that starts instances. */
  get canStartWorkflow(): boolean {
    return this.customProperties.canStartWorkflow === true;
  }
}
