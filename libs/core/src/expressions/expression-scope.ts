/** Identifies the workflow in which an expression is evaluated. These facts never change during a burst. */
export interface WorkflowFacts {
  /** Id of the workflow instance. */
  readonly workflowInstanceId: string;
  /** Logical id of the workflow definition, which all its versions share. */
  readonly workflowDefinitionId: string;
  /** Id of one version of the workflow definition. */
  readonly workflowDefinitionVersionId: string;
  /** Number of that version, from 1. */
  readonly workflowDefinitionVersion: number;
}

/** An output of an activity, by the names of both. */
export interface NamedOutput {
  /** Name of the activity, or its id where it has none. */
  readonly activityName: string;
  /** Name of the output. */
  readonly outputName: string;
}

/**
 * The parts of a running workflow that an expression can read. Everything is looked up lazily, one value at a time: copying the
 * whole scope into a sandbox costs several times more than the expression itself.
 */
export interface ExpressionScope {
  /** Ids and names of the workflow and the instance. */
  readonly facts: WorkflowFacts;
  /** Reading and assigning changes the workflow instance. */
  correlationId: string | undefined;
  /** Name of the workflow instance. */
  instanceName: string | undefined;
  /** Value of the nearest variable of that name, searched outward; `null` when there is none. */
  getVariable(name: string): unknown;
  /** Value of the variable with that id, searched outward; `null` when there is none. */
  getVariableById(id: string): unknown;
  /** Sets the nearest variable of that name; an undeclared one becomes a dynamic variable of the nearest container. */
  setVariable(name: string, value: unknown): void;
  /** Whether a variable of that name can be seen from here. */
  hasVariable(name: string): boolean;
  /** Alias of the declared type of the nearest variable of that name, such as `TimeSpan`; `undefined` when there is none. */
  typeOfVariable?(name: string): string | undefined;
  /** Names of all variables in scope, nearest first, each once. */
  variableNames(): readonly string[];
  /** Inside a workflow used as an activity its own input of that name, else the workflow input; `null` when missing. */
  getInput(name: string): unknown;
  /** Names of the declared inputs that `getInput` may be asked for here. */
  inputNames(): readonly string[];
  /** Input with which the current activity was scheduled, if any. */
  readonly activityInput: Readonly<Record<string, unknown>> | undefined;
  /**
   * Output of a completed activity of the same container, found by id or name.
   * @param output defaults to `Result`
   * @throws WorkflowExecutionError (`WM2010`) when no such activity exists
   */
  getOutputFrom(activityIdOrName: string, output?: string): unknown;
  /** Named activities with outputs, for generated accessors such as `getResultFromStep1()`. */
  activityOutputs(): readonly NamedOutput[];
  /**
   * The one of them that such an accessor reads, by the rest of its name: `ResultFromStep1`. Without this method, it is looked for among all.
   */
  outputNamed?(name: string): NamedOutput | undefined;
  /** Result of the activity that completed last in this burst. */
  getLastResult(): unknown;
  /** Extra arguments, e.g. `item` in a correlation function. */
  readonly args?: Readonly<Record<string, unknown>> | undefined;
  /** Aborted when the burst is cancelled. Made when it is first asked for. */
  readonly signal: AbortSignal | undefined;
  /**
   * Marks a value as a secret of the host: wherever it occurs in this burst, it is kept out of the journal, the log, the state
   * and answers to requests.
   * @param name name of the secret, for errors
   */
  noteSecret?(value: unknown, name?: string): void;
  /** Text that an evaluation gets in place of each secret of the host, if it may not have them; `undefined` if it may. */
  secretInstead?(): string | undefined;
  /** Throws the reason of the signal when it is aborted, as `signal.throwIfAborted()` would, without making one. */
  throwIfAborted?(): void;
  /**
   * Called before work that may take longer than a step: the burst then reads the clock, and yields to other work if necessary.
   */
  expectTimeToPass?(): void;
  /** Returns what to wait for before an expression is evaluated, if earlier ones have blocked the process for long. */
  turn?(): PromiseLike<void> | undefined;
}
