import type { VariableDefinition } from '../definitions/workflow-definition.js';
import { WorkflowExecutionError } from '../errors/execution-errors.js';
import type { Expression } from '../expressions/expression.js';
import type { ExpressionScope } from '../expressions/expression-scope.js';
import { ValueSource } from './value.js';
import { type Declared, WRITE, type WriteContext } from './write-context.js';

/** Access to a running workflow: the scope of a function, or the context of an activity. */
export type ScopeLike = ExpressionScope | { readonly expressionScope: ExpressionScope };

const scopeOf = (from: ScopeLike): ExpressionScope =>
  (from as { readonly expressionScope?: ExpressionScope }).expressionScope ?? (from as ExpressionScope);

/** A target to which an output of an activity can be bound, if it accepts values of that type. */
export interface OutputTarget<in T> extends Declared {
  /** Never set. It lets the compiler check which values may be stored. */
  readonly accepts?: (value: T) => void;
  /** Id of the variable, or name of the workflow output. */
  readonly targetId: string;
}

/** The declaration of a variable of any type. */
export interface VariableDeclaration extends Declared {
  /** Kind of the declaration. */
  readonly kind: 'variable';
  /** Its JSON. */
  readonly definition: VariableDefinition;
}

/** A variable of a workflow. Use it as the value of an input, bind an output to it, or read it in a function. */
export class VariableRef<T> extends ValueSource<T> implements OutputTarget<T>, VariableDeclaration {
  /** Never set. It lets the compiler check which values may be written. */
  declare readonly accepts?: (value: T) => void;
  /** Kind of the reference. */
  readonly kind = 'variable';
  /** Name of the variable. */
  readonly name: string;
  /** Id of the target in the JSON. */
  readonly targetId: string;

  constructor(
    /** Its JSON. */
    readonly definition: VariableDefinition,
  ) {
    super();
    this.name = definition.name;
    this.targetId = definition.id;
  }

  /** Returns the current value. Before the first assignment it is the default, or null if there is none. */
  get(from: ScopeLike): T {
    const scope = scopeOf(from);
    const value = scope.getVariableById(this.targetId);
    // Either the value is null, or the variable is declared nowhere.
    if (value === null) this.requireDeclared(scope);
    return value as T;
  }

  /** Assigns a value. Call it in functions of `inline` and in activities of the application. */
  set(to: ScopeLike, value: T): void {
    const scope = scopeOf(to);
    this.requireDeclared(scope);
    scope.setVariable(this.name, value);
  }

  /** Returns the JSON with which definitions refer to the variable; arrays are `T[]`. */
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
  /** Kind of the reference. */
  readonly kind = 'input';

  constructor(
    /** Name of the input. */
    readonly name: string,
    /** Its type. */
    protected readonly typeName: string,
  ) {
    super();
  }

  /** Returns the value that the workflow was started with, or null if it was not given. */
  get(from: ScopeLike): T {
    return scopeOf(from).getInput(this.name) as T;
  }

  [WRITE](context: WriteContext, at: string): Expression {
    context.requireDeclared(this, at);
    return { type: 'Input', value: { name: this.name, type: this.typeName } };
  }
}

/** An output of a workflow. It is set by `setOutput`, or by an activity whose output is bound to it. */
export class OutputRef<T> implements OutputTarget<T> {
  /** Never set. It lets the compiler check which values may be written. */
  declare readonly accepts?: (value: T) => void;
  /** Kind of the reference. */
  readonly kind = 'output';

  constructor(
    /** Name of the output. */
    readonly name: string,
  ) {}

  /** Name of the target in the JSON. */
  get targetId(): string {
    return this.name;
  }
}

/** A value that an activity sets and that exists only inside of it. */
export class ScopedValue<T> extends ValueSource<T> {
  /** The activity that sets the value. */
  loop: object | undefined;

  constructor(
    /** Name of the value. */
    readonly name: 'CurrentValue' | 'CurrentIndex' | 'Error' | 'StepOutputs',
  ) {
    super();
  }

  /** Returns the value set by the nearest enclosing activity: in nested loops, that of the inner loop. */
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
 * Value of the current iteration, inside the body of a loop. In nested loops it is the value of the inner loop; to read the
 * value of the outer loop there, bind its `currentValue` to a variable.
 */
export class LoopValue<T> extends ScopedValue<T> {
  constructor(name: 'CurrentValue' | 'CurrentIndex') {
    super(name);
  }
}
