import type { Constructor } from '../activities/decorators.js';
import type {
  InputDefinition,
  OutputDefinition,
  VariableDefinition,
  WorkflowDefinition,
  WorkflowOptions,
} from '../definitions/workflow-definition.js';
import { ACTIVATION_STRATEGIES } from '../definitions/class-names.js';
import { checkOptions } from '../options/check-options.js';
import * as is from '../options/option-kinds.js';
import type { OptionKinds } from '../options/option-kinds.js';
import { refuseUnknown } from '../options/refuse-unknown.js';
import { type ActivityArguments, type ActivityBuilder, type ActivitySettings, type Steps } from './activity-builder.js';
import { buildFromClass, toActivity } from './build-activity.js';
import { WorkflowBuildError } from './build-error.js';
import { DefinitionWriter } from './definition-writer.js';
import type { WorkflowFunction } from './function-reference.js';
import { InputRef, OutputRef, type VariableRef } from './references.js';
import { jsonConstant } from './value.js';
import {
  splitType,
  storageDriver,
  type TypeOption,
  type ValueStorage,
  variable,
  type VariableOptions,
} from './variable.js';
import {
  ARGUMENT_NAMES,
  DeclaredInput,
  type DeclaredInputs,
  DeclaredOutput,
  type DeclaredOutputs,
  INPUT_ARGUMENT_NAMES,
  requireDeclared,
} from './workflow-arguments.js';
import type { Declared } from './write-context.js';

/** Settings of a declared input or output. */
export interface ArgumentOptions<T = unknown> {
  /** Type alias, e.g. `String`, `Int32[]`, or a class of the option `types` of WorkflowModule. @default 'Object' */
  readonly type?: TypeOption<T>;
  /** Name for people. @default the name */
  readonly displayName?: string;
  /** Description in a sentence. @default none */
  readonly description?: string;
  /** Group in designers. @default none */
  readonly category?: string;
}

/** Settings of a declared input. */
export interface InputArgumentOptions<T = unknown> extends ArgumentOptions<T> {
  /** If true, the workflow is not started without it (`WM1036`). @default false */
  readonly required?: boolean;
  /** Editor that tools show. */
  readonly uiHint?: string;
  /** How long the value is kept. @default 'instance' */
  readonly storage?: ValueStorage;
}

/** How instances of a workflow from code start, run and fail. */
export interface WorkflowBuilderOptions {
  /** How many instances may run at the same time. @default 'AllowAlways' */
  readonly activation?: 'AllowAlways' | 'Singleton' | 'CorrelatedSingleton' | 'Correlation';
  /** What happens when an activity fails: the name of a strategy. @default that of the host */
  readonly incidents?: 'Fault' | 'ContinueWithIncidents' | (string & {});
  /** If true, other workflows may use it as an activity. @default false */
  readonly usableAsActivity?: boolean;
  /** Moves the workflows that use this one as an activity to each new version. */
  readonly autoUpdateConsumingWorkflows?: boolean;
  /** Heading in toolboxes, when used as an activity. */
  readonly activityCategory?: string;
  /** Name of the commit strategy. @default that of the option `commitStrategies` */
  readonly commitStrategy?: string;
  /**
   * If false, a value that has no form in the type of its input or variable becomes the default of that type (0, `00:00:00`),
   * in silence, instead of faulting the activity with `WM1101`. @default true
   */
  readonly strictConversions?: boolean;
}

/** The part of a definition that its author decides. The code that stores it sets versions and flags. */
export type WorkflowContent = Pick<
  WorkflowDefinition,
  | 'definitionId'
  | 'name'
  | 'description'
  | 'variables'
  | 'inputs'
  | 'outputs'
  | 'outcomes'
  | 'customProperties'
  | 'options'
  | 'root'
>;

/** A workflow built in code, ready to be stored. */
export interface BuiltWorkflow {
  /** The definition as JSON, in which functions are written as `{ $function: key }`. */
  readonly definition: WorkflowContent;
  /** Its functions, by the place where they are used. */
  readonly functions: ReadonlyMap<string, WorkflowFunction>;
}

/**
 * Describes a workflow in TypeScript:
 *
 *     const request = w.input<LeaveRequest>('request');
 *     const decidedBy = w.variable<string>('decidedBy');
 *     w.name('Leave approval').root(
 *       activity(ManagerApproval, { requestId: (s) => request.get(s).id }, { outputs: { decidedBy } }),
 *     );
 *
 * Errors are `WorkflowBuildError`s, codes WM12xx.
 */
export class WorkflowDefinitionBuilder {
  private title: string | undefined;
  private text: string | undefined;
  private readonly declared = new Map<string, Declared>();
  private readonly variables: VariableDefinition[] = [];
  private readonly argumentsIn: InputDefinition[] = [];
  private readonly argumentsOut: OutputDefinition[] = [];
  private readonly outcomeNames: string[] = [];
  private readonly properties: Record<string, unknown> = {};
  private settings: WorkflowBuilderOptions = {};
  private rootActivity: ActivityBuilder | undefined;

  constructor(
    /** Logical id of the workflow definition, which all its versions share. */
    readonly definitionId: string,
  ) {}

  /** Sets the display name. */
  name(name: string): this {
    this.title = name;
    return this;
  }

  /** Sets the description of the workflow. */
  description(description: string): this {
    this.text = description;
    return this;
  }

  /** Declares a variable of the whole workflow. @throws WorkflowBuildError WM1203 the name is taken */
  variable<T>(name: string, options: VariableOptions<T> = {}): VariableRef<T> {
    const declared = this.declare(variable<T>(name, options));
    this.variables.push(declared.definition);
    return declared;
  }

  /**
   * Declares an input. Values given under other names are not kept.
   * @throws WorkflowBuildError WM1203 the name is taken, UnknownOptionError (`WM1091`)
   */
  input<T>(name: string, options: InputArgumentOptions<T> = {}): InputRef<T> {
    refuseUnknown(`Input '${name}'`, options, INPUT_ARGUMENT_NAMES);
    const { type = 'Object', storage, required = false, ...texts } = options;
    const { alias, isArray } = splitType(type, name);
    const storageDriverType = storageDriver(storage, `input '${name}'`);
    this.argumentsIn.push({
      name,
      type: alias,
      isArray,
      ...texts,
      storageDriverType,
      ...(required && { isRequired: true }),
    });
    return this.declare(new InputRef<T>(name, isArray ? `${alias}[]` : alias));
  }

  /** Declares an output. @throws WorkflowBuildError WM1203 the name is taken, UnknownOptionError (`WM1091`) */
  output<T>(name: string, options: ArgumentOptions<T> = {}): OutputRef<T> {
    refuseUnknown(`Output '${name}'`, options, ARGUMENT_NAMES);
    const { type = 'Object', ...texts } = options;
    const { alias, isArray } = splitType(type, name);
    this.argumentsOut.push({ name, type: alias, isArray, ...texts });
    return this.declare(new OutputRef<T>(name));
  }

  /**
   * Declares inputs under the names of the members: `w.inputs({ days: input<number>() })`. The inputs of a workflow class are
   * declared automatically.
   */
  inputs<I extends DeclaredInputs>(inputs: I): I {
    for (const [name, given] of Object.entries(inputs)) {
      const declared = requireDeclared('input', DeclaredInput, name, given);
      this.argumentsIn.push(declared.define(name));
      this.declare(declared);
    }
    return inputs;
  }

  /** Declares outputs under the names of the members. The outputs of a workflow class are declared automatically. */
  outputs<O extends DeclaredOutputs>(outputs: O): O {
    for (const [name, given] of Object.entries(outputs)) {
      const declared = requireDeclared('output', DeclaredOutput, name, given);
      this.argumentsOut.push(declared.define(name));
      this.declare(declared);
    }
    return outputs;
  }

  /** Declares outcomes with which the workflow may end when it is used as an activity; see `complete`. */
  outcomes(...names: readonly string[]): this {
    this.outcomeNames.push(...names);
    return this;
  }

  /**
   * Sets how instances start, run and fail.
   * @throws InvalidOptionError (`WM1090`) naming the permitted values, UnknownOptionError (`WM1091`)
   */
  options(options: WorkflowBuilderOptions): this {
    const checked = checkOptions({ name: `w.options() of workflow '${this.definitionId}'` }, options, OPTION_KINDS);
    this.settings = { ...this.settings, ...checked };
    return this;
  }

  /** Sets data of the application that is stored with the definition. */
  customProperties(properties: Readonly<Record<string, unknown>>): this {
    Object.assign(this.properties, properties);
    return this;
  }

  /** Sets what the workflow runs: one activity, a list of steps, or an activity class with its inputs. */
  root(steps: Steps): this;
  root<A extends object>(activityClass: Constructor<A>, ...args: ActivityArguments<A>): this;
  root(
    given: Steps | Constructor,
    members: Readonly<Record<string, unknown>> = {},
    settings: ActivitySettings = {},
  ): this {
    if (this.rootActivity)
      throw new WorkflowBuildError(
        'WM1203',
        this.definitionId,
        `Workflow '${this.definitionId}' already has a root. Combine both: w.root(sequence([…])).`,
      );
    this.rootActivity = typeof given === 'function' ? buildFromClass(given, members, settings) : toActivity(given);
    return this;
  }

  /**
   * Checks the declarations and builds the definition.
   * @throws WorkflowBuildError the workflow is not complete, or its parts do not fit together
   */
  build(): BuiltWorkflow {
    if (!this.rootActivity)
      throw new WorkflowBuildError(
        'WM1201',
        this.definitionId,
        `Workflow '${this.definitionId}' has no root. Call w.root() with its first activity.`,
      );
    const writer = new DefinitionWriter(this.definitionId, new Set(this.declared.values()));
    const root = writer.write(this.rootActivity);
    const { definitionId, title: name, text: description, variables, properties } = this;
    const options = toWorkflowOptions(this.settings);
    return {
      definition: {
        definitionId,
        name,
        description,
        variables,
        inputs: this.argumentsIn,
        outputs: this.argumentsOut,
        outcomes: this.outcomeNames,
        customProperties: jsonConstant(properties, `${definitionId}.customProperties`) as Record<string, unknown>,
        options,
        root,
      },
      functions: writer.functions,
    };
  }

  private declare<D extends Declared>(declared: D): D {
    const key = `${declared.kind} ${declared.name.toLowerCase()}`;
    if (declared.name.trim() === '' || this.declared.has(key))
      throw new WorkflowBuildError(
        'WM1203',
        `${this.definitionId}.${declared.name}`,
        `Workflow '${this.definitionId}' cannot have ${declared.kind === 'variable' ? 'a' : 'an'} ${declared.kind} named ` +
          `'${declared.name}': the name is blank, or already in use in this or another casing. Choose another name.`,
      );
    this.declared.set(key, declared);
    return declared;
  }
}

const OPTION_KINDS: OptionKinds<WorkflowBuilderOptions> = {
  activation: is.oneOf('AllowAlways', 'Singleton', 'Correlation', 'CorrelatedSingleton'),
  incidents: is.filledText,
  usableAsActivity: is.flag,
  autoUpdateConsumingWorkflows: is.flag,
  activityCategory: is.text,
  commitStrategy: is.filledText,
  strictConversions: is.flag,
};

function toWorkflowOptions(o: WorkflowBuilderOptions): WorkflowOptions {
  const incidents =
    o.incidents === 'Fault' || o.incidents === 'ContinueWithIncidents' ? `${o.incidents}Strategy` : o.incidents;
  const options: WorkflowOptions = {
    activationStrategyType: o.activation && ACTIVATION_STRATEGIES[o.activation],
    usableAsActivity: o.usableAsActivity,
    autoUpdateConsumingWorkflows: o.autoUpdateConsumingWorkflows ?? false,
    activityCategory: o.activityCategory,
    incidentStrategyType: incidents,
    commitStrategyName: o.commitStrategy,
    strictConversions: o.strictConversions,
  };
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}
