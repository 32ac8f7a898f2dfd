import type { ExpressionScope, NamedOutput, WorkflowFacts } from '../expressions/expression-scope.js';
import { WorkflowExecutionError } from '../errors/execution-errors.js';
import { convertValue } from '../values/convert-value.js';
import type { ActivityExecutionContext } from './activity-execution-context.js';
import { inputOfThen } from './compensation.js';
import { outputsByAccessor } from './named-outputs.js';
import type { SecretKeeper } from '../secrets/secret-keeper.js';
import type { VariableSlot } from '../graph/variable.js';
import { slotNamed, slotOfId } from '../graph/variable-slots.js';

/**
 * The scope in which expressions of one activity execution are evaluated: its own variables and those of its ancestors, nearest
 * first.
 */
export class ActivityScope implements ExpressionScope {
  constructor(
    private readonly ctx: ActivityExecutionContext,
    /** What is handed over beside variables. */
    readonly args?: Readonly<Record<string, unknown>>,
  ) {}

  /** The same scope with extra arguments. */
  withArgs(args: Readonly<Record<string, unknown>>): ActivityScope {
    return new ActivityScope(this.ctx, args);
  }

  /** Ids and names of the workflow and the instance. */
  get facts(): WorkflowFacts {
    return this.ctx.workflow.facts;
  }

  /** Correlation id of the instance: its business key. */
  get correlationId(): string | undefined {
    return this.ctx.workflow.correlationId;
  }
  set correlationId(value: string | undefined) {
    this.ctx.workflow.correlationId = value;
  }

  /** Name of the instance. */
  get instanceName(): string | undefined {
    return this.ctx.workflow.name;
  }
  set instanceName(value: string | undefined) {
    this.ctx.workflow.name = value;
  }

  /** Input of this execution alone. */
  get activityInput(): Readonly<Record<string, unknown>> | undefined {
    return this.ctx.activityInput;
  }

  /** Aborted when the burst is to end. */
  get signal(): AbortSignal | undefined {
    return this.ctx.workflow.signal;
  }

  /** Marks a value as secret: it is redacted in everything that the burst stores, and kept out of answers to requests. */
  noteSecret(value: unknown, name?: string): void {
    this.ctx.workflow.secrets.noteNamed(value, name);
  }

  /** Text in place of each secret, if this evaluation may not have them. */
  secretInstead(): string | undefined {
    return this.ctx.workflow.engine.secretInstead?.();
  }

  /** Throws the reason when the burst is to end. */
  throwIfAborted(): void {
    this.ctx.workflow.throwIfAborted();
  }

  /** Notes that time may pass within the burst. */
  expectTimeToPass(): void {
    this.ctx.workflow.expectTimeToPass();
  }

  /** Returns what to wait for before an expression is evaluated. */
  turn(): PromiseLike<void> | undefined {
    return this.ctx.workflow.engine.turn?.();
  }

  /** Value of the nearest variable of that name. */
  getVariable(name: string): unknown {
    return this.findByName(name)?.value ?? null;
  }

  /** Value of the variable with that id. */
  getVariableById(id: string): unknown {
    return this.findById(id)?.value ?? null;
  }

  /** Whether a variable of that name can be seen from here. */
  hasVariable(name: string): boolean {
    return this.findByName(name) !== undefined;
  }

  /** Alias of the declared type of the nearest variable of that name. */
  typeOfVariable(name: string): string | undefined {
    return this.findByName(name)?.variable.type.alias;
  }

  /** Sets the nearest variable with that name. If none is in scope, it is declared in the nearest container. */
  setVariable(name: string, value: unknown): void {
    const slot = this.findByName(name);
    if (slot) assign(slot, value, this.ctx.workflow.secrets);
    else this.nearestContainer().workflow.declareDynamic(this.nearestContainer(), name, value);
  }

  /** Names of all variables that can be seen from here. */
  variableNames(): readonly string[] {
    const names = new Set<string>();
    for (let c: ActivityExecutionContext | undefined = this.ctx; c; c = c.parent)
      if (c.slots) for (const slot of c.slots) names.add(slot.variable.name);
    return [...names];
  }

  /** Value of an input of the workflow. */
  getInput(name: string): unknown {
    if (this.ctx.workflow.hasScopes) {
      const slot = inputOfThen(this.ctx, name);
      if (slot) return slot.value ?? null;
    }
    const nested = this.nestedWorkflow();
    if (nested) {
      const slot = nested.slots && (slotNamed(nested.slots, name) ?? inputInAnyCase(nested, name));
      if (slot) return slot.value ?? null;
    }
    return this.ctx.workflow.getInput(name);
  }

  /** Names of the inputs of the workflow. */
  inputNames(): readonly string[] {
    return (this.nestedWorkflow() ?? this.ctx.workflow.rootContext)?.node.nestedWorkflow?.inputNames ?? [];
  }

  /** Latest value of an output of an activity. */
  getOutputFrom(activityIdOrName: string, output = 'Result'): unknown {
    let inner = this.ctx;
    for (let c = inner.parent; c; inner = c, c = c.parent) {
      const node = c.node.children.find((n) => n.id === activityIdOrName || n.name === activityIdOrName);
      if (!node) continue;
      // What runs around the expression has put out something as well, such as the current value of a loop.
      const own = inner.node === node ? inner.outputs : undefined;
      const outputs = own ?? c.activeChildren?.outputs?.get(node.id);
      const key = outputs && Object.keys(outputs).find((k) => k === output || k.toLowerCase() === output.toLowerCase());
      return key === undefined ? null : (outputs![key] ?? null);
    }
    throw new WorkflowExecutionError(
      'WM2010',
      `Activity not found. No activity "${activityIdOrName}" is in scope of "${this.ctx.node.id}". Use the id or name of an activity in the same container or one around it.`,
    );
  }

  /** Which activities have outputs that expressions can read. */
  activityOutputs(): readonly NamedOutput[] {
    const found: NamedOutput[] = [];
    for (let c = this.ctx.parent; c; c = c.parent)
      for (const node of c.node.children)
        for (const output of node.registration.descriptor.outputs)
          found.push({ activityName: node.name ?? node.id, outputName: output.name });
    return found;
  }

  /** The one that an accessor reads, in the nearest container that has it. */
  outputNamed(name: string): NamedOutput | undefined {
    for (let c = this.ctx.parent; c; c = c.parent) {
      const found = outputsByAccessor(c.node).get(name);
      if (found) return found;
    }
    return undefined;
  }

  /** Latest result of any activity. */
  getLastResult(): unknown {
    return this.ctx.workflow.lastResult ?? null;
  }

  /** The nearest variable of that name. Plain loops: every expression that reads a variable comes through here. */
  findByName(name: string): VariableSlot | undefined {
    for (let c: ActivityExecutionContext | undefined = this.ctx; c; c = c.parent) {
      const slot = c.slots && slotNamed(c.slots, name);
      if (slot) return slot;
    }
    return undefined;
  }

  /** The nearest variable with that id. */
  findById(id: string): VariableSlot | undefined {
    for (let c: ActivityExecutionContext | undefined = this.ctx; c; c = c.parent) {
      const slot = c.slots && slotOfId(c.slots, id);
      if (slot) return slot;
    }
    return undefined;
  }

  /**
   * Alias of the type of what an output is bound to: a variable, by its id, or an output of the workflow, by its name. Undefined: neither
   * can be seen from here.
   */
  typeOfTarget(id: string): string | undefined {
    for (let c: ActivityExecutionContext | undefined = this.ctx; c; c = c.parent) {
      const slot = c.slots && slotOfId(c.slots, id);
      // The slots of a workflow used as an activity have no types: each is a variable that anything fits into.
      const output = (!slot || c.parent) && c.node.nestedWorkflow?.outputs.find(({ name }) => name === id);
      if (output) return output.isArray ? `${output.typeName}[]` : output.typeName;
      if (slot) return slot.variable.type.alias;
    }
    return undefined;
  }

  /** Context of the workflow used as an activity that this activity is part of, if any. */
  private nestedWorkflow(): ActivityExecutionContext | undefined {
    for (let c: ActivityExecutionContext | undefined = this.ctx.parent; c; c = c.parent)
      if (c.node.nestedWorkflow && c.parent) return c;
    return undefined;
  }

  private nearestContainer(): ActivityExecutionContext {
    for (let c: ActivityExecutionContext | undefined = this.ctx.parent; c; c = c.parent)
      if (c.node.registration.descriptor.isContainer || c.node.nestedWorkflow || !c.parent) return c;
    return this.ctx;
  }
}

/** As when the workflow is started by itself. */
function inputInAnyCase({ node, slots }: ActivityExecutionContext, name: string): VariableSlot | undefined {
  const wanted = name.toLowerCase();
  const known = node.nestedWorkflow!.inputNames.find((each) => each.toLowerCase() === wanted);
  return known === undefined ? undefined : slotNamed(slots!, known);
}

/** Assigns with conversion to the variable's type. */
export function assign(slot: VariableSlot, value: unknown, secrets: SecretKeeper): void {
  const { variable, living } = slot;
  // Before it is converted, which may fail and quote it.
  if (variable.isEncrypted) secrets.noteEncrypted(value);
  const converted = convertValue(value, variable.type, variable.conversion);
  slot.value = converted;
  if (living) living.value = converted;
}
