import type { VariableDefinition } from '../definitions/workflow-definition.js';
import { WorkflowExecutionError } from '../errors/execution-errors.js';
import type { Expression } from '../expressions/expression.js';
import type { ExpressionScope } from '../expressions/expression-scope.js';
import { ValueSource } from './value.js';
import { type Declared, WRITE, type WriteContext } from './write-context.js';

/** Where a running workflow is read: the scope of a function, or the context of an activity. */
export type ScopeLike = ExpressionScope | { readonly expressionScope: ExpressionScope };

const scopeOf = (from: ScopeLike): ExpressionScope =>
  (from as { readonly expressionScope?: ExpressionScope }).expressionScope ?? (from as ExpressionScope);

/** Something that an output of an activity can be bound to, if it takes values of that type. */
export interface OutputTarget<in T> extends Declared {
  /** Never set: tells the compiler what may be stored. */
  readonly accepts?: (value: T) => void;
  /** Id of the variable, or name of the workflow output. */
  readonly targetId: string;
}

/** A variable of any type, to be declared. */
export interface VariableDeclaration extends Declared {
  /** What it declares. */
  readonly kind: 'variable';
  /** Its JSON. */
  readonly definition: VariableDefinition;
}

/** A variable of a workflow. Use it as the value of an input, bind an output to it, or read it in a function. */
export class VariableRef<T> extends ValueSource<T> implements OutputTarget<T>, VariableDeclaration {
  /** For the compiler only: what may be written. */
  declare readonly accepts?: (value: T) => void;
  /** What it refers to. */
  readonly kind = 'variable';
  /** Name of the variable. */
  readonly name: string;
  /** Id in JSON of what is written. */
  readonly targetId: string;

  constructor(
    /** Its JSON. */
    readonly definition: VariableDefinition,
  ) {
    super();
    this.name = definition.name;
    this.targetId = definition.id;
  }

  /** The current value. Until something is assigned, it is the default, or else null. */
  get(from: ScopeLike): T {
    const scope = scopeOf(from);
    const value = scope.getVariableById(this.targetId);
    // Either the value is null, or the variable is declared nowhere.
    if (value === null) this.requireDeclared(scope);
    return value as T;
  }

  /** Assigns a value; for functions of `inline`, or for activities of the application. */
  set(to: ScopeLike, value: T): void {
    const scope = scopeOf(to);
    this.requireDeclared(scope);
    scope.setVariable(this.name, value);
  }

  /** As definitions name a variable where it is used: arrays are `T[]`. */
  toJson(): Record<string, unknown> {
    const { id, name, typeName, isArray, storageDriverTypeName } = this.definition;
    return { id, name, typeName: isArray ? `${typeName}[]` : typeName, storageDriverTypeName };
  }

  [WRITE](context: WriteContext, at: string): Expression {
    context.requireDeclared(this, at);
    return { type: 'Variable', value: this.toJson() };
  }

  /** An instance of an older version may not have the variable: null would be a wrong answer then. */
  private requireDeclared(scope: ExpressionScope): void {
    if (scope.hasVariable(this.name)) return;
    const { workflowDefinitionId: id, workflowDefinitionVersion: version } = scope.facts;
    throw new WorkflowExecutionError(
      'WM2032',
      `Variable '${this.name}' not found: version ${version} of workflow '${id}' does not declare it here. ` +
        'Declare it around the activity that uses it, or migrate the instance to a version that has it.',
    );
  }
}

/** An input of a workflow. */
export class InputRef<T> extends ValueSource<T> implements Declared {
  /** What it refers to. */
  readonly kind = 'input';

  constructor(
    /** Name of the input. */
    readonly name: string,
    /** Its type. */
    protected readonly typeName: string,
  ) {
    super();
  }

  /** The value that the workflow was started with; null when it was not given. */
  get(from: ScopeLike): T {
    return scopeOf(from).getInput(this.name) as T;
  }

  [WRITE](context: WriteContext, at: string): Expression {
    context.requireDeclared(this, at);
    return { type: 'Input', value: { name: this.name, type: this.typeName } };
  }
}

/** An output of a workflow: set by `setOutput`, or by an activity whose output is bound to it. */
export class OutputRef<T> implements OutputTarget<T> {
  /** For the compiler only: what may be written. */
  declare readonly accepts?: (value: T) => void;
  /** What it refers to. */
  readonly kind = 'output';

  constructor(
    /** Name of the output. */
    readonly name: string,
  ) {}

  /** Name in JSON of what is written. */
  get targetId(): string {
    return this.name;
  }
}

/** A value that exists inside of an activity only, which sets it. */
export class ScopedValue<T> extends ValueSource<T> {
  /** The activity that sets it. */
  loop: object | undefined;

  constructor(
    /** Name of the value. */
    readonly name: 'CurrentValue' | 'CurrentIndex' | 'Error' | 'StepOutputs',
  ) {
    super();
  }

  /** Of the nearest activity that sets it: inside a loop within a loop, the inner one's value. */
  get(from: ScopeLike): T {
    return scopeOf(from).getVariable(this.name) as T;
  }

  [WRITE](context: WriteContext, at: string): Expression {
    context.requireNearestLoop(this.loop, this.name, at);
    // Without an id it is found by name, as the variables of loops have to be.
    return { type: 'Variable', value: { name: this.name, typeName: 'Object' } };
  }
}

/**
 * Value of the current iteration, inside the body of a loop. In a loop within a loop this is the inner one's value: bind the
 * outer's `currentValue` to a variable there.
 */
export class LoopValue<T> extends ScopedValue<T> {
  constructor(name: 'CurrentValue' | 'CurrentIndex') {
    super(name);
  }
}
