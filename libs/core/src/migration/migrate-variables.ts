import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';
import { variablePlace } from '../execution/encrypted-parts.js';
import { nestedSlots } from '../execution/restore-state.js';
import type { ActivityNode } from '../graph/activity-node.js';
import type { Variable, VariableSlot } from '../graph/variable.js';
import { slotOfId } from '../graph/variable-slots.js';
import type { ActivityExecutionContextState } from '../state/workflow-state.js';
import { convertValue } from '../values/convert-value.js';
import { EncryptedValue } from '../values/encrypted-value.js';
import { setMember } from '../values/plain-object.js';
import { serialize } from '../values/storage-codec.js';
import type { MigratedVariable, MigrationMapping, MigrationProblem } from './migration-report.js';

type Values = Record<string, unknown>;

/** Where values of variables go: the variable, and the execution whose scope declares it. */
interface Place {
  readonly variable: Variable;
  readonly contextId: string;
}

interface DeclaredVariables {
  readonly byId: ReadonlyMap<string, Variable>;
  readonly byName: ReadonlyMap<string, Variable>;
}

/** Brings the stored values of variables to those of another version, execution by execution. */
export class VariableMigration {
  readonly moved: MigratedVariable[] = [];
  readonly problems: MigrationProblem[] = [];
  private readonly results = new Map<string, Values>();
  private readonly taken = new Set<string>();
  private readonly declared = new Map<ActivityNode, DeclaredVariables>();

  constructor(
    private readonly names: NonNullable<MigrationMapping['variables']>,
    private readonly counterpartOf: (node: ActivityNode) => ActivityNode | undefined,
  ) {}

  /** @param ctx as it is restored by the version that it leaves, with decrypted values */
  move(ctx: ActivityExecutionContext, state: ActivityExecutionContextState): void {
    const stored = state.properties.Variables as Values | undefined;
    if (!stored) return;
    const dynamic = new Set(state.dynamicVariables?.map(({ id }) => id));
    for (const [id, value] of Object.entries(stored)) {
      const slot = ctx.slots && slotOfId(ctx.slots, id);
      // One that was declared at run time goes with its execution, as it is.
      if (!slot || dynamic.has(id)) this.put(ctx.id, id, value);
      else this.moveOne(ctx, slot, value);
    }
  }

  /** The values to store for an execution; undefined when it had none and gets none. */
  valuesOf(contextId: string): Values | undefined {
    return this.results.get(contextId);
  }

  private moveOne(ctx: ActivityExecutionContext, slot: VariableSlot, stored: unknown): void {
    const { variable } = slot;
    const { name, id } = variable;
    const mapped = nameIn(this.names, id, name);
    if (mapped === null) return void this.moved.push({ name, activityInstanceId: ctx.id });
    const place = mapped === undefined ? this.sameOf(ctx, variable) : this.named(ctx, mapped);
    if (!place || !place.variable.isPersisted) return this.lose(ctx, slot, mapped, place);
    const key = `${place.contextId}/${place.variable.id}`;
    if (this.taken.has(key))
      return this.refuse(
        'Ambiguous',
        variable,
        `Two variables would become '${place.variable.name}': map one of them elsewhere, or to null.`,
      );
    this.taken.add(key);
    this.write(ctx, slot, stored, place);
  }

  private write(ctx: ActivityExecutionContext, { variable, value }: VariableSlot, stored: unknown, place: Place): void {
    const { variable: target, contextId } = place;
    const isConverted = target.type.alias !== variable.type.alias;
    const stays = !isConverted && target.id === variable.id && contextId === ctx.id;
    const { name } = variable;
    try {
      // What the node cannot decrypt stays for one that can: only its conversion cannot be tried here.
      const isReadable = !(value instanceof EncryptedValue);
      const converted =
        isConverted && isReadable ? convertValue(value, target.type, { ...target.conversion, strict: true }) : value;
      const isSealed = stored instanceof EncryptedValue && isReadable;
      const { vault } = ctx.workflow;
      this.put(
        contextId,
        target.id,
        stays ? stored : isSealed ? vault.seal(converted, variablePlace(contextId, target.id)) : converted,
      );
      this.moved.push({ name, activityInstanceId: ctx.id, to: target.name, ...(isConverted && { isConverted }) });
    } catch (error) {
      const reason = variable.isEncrypted || target.isEncrypted ? 'it is not shown' : (error as Error).message;
      this.refuse(
        'VariableDoesNotFit',
        variable,
        `The value of variable '${name}' does not fit type ${target.type.alias} of '${target.name}': ${reason}. Change it first, or map the variable to null.`,
      );
    }
  }

  private sameOf(ctx: ActivityExecutionContext, { id, name }: Variable): Place | undefined {
    const declared = this.declaredBy(ctx);
    const variable = declared?.byId.get(id) ?? declared?.byName.get(name);
    return variable && { variable, contextId: ctx.id };
  }

  /** In its own scope, or in one around it. */
  private named(ctx: ActivityExecutionContext, wanted: string): Place | undefined {
    for (let at: ActivityExecutionContext | undefined = ctx; at; at = at.parent) {
      const declared = this.declaredBy(at);
      const variable = declared?.byId.get(wanted) ?? declared?.byName.get(wanted);
      if (variable) return { variable, contextId: at.id };
    }
    return undefined;
  }

  private declaredBy(ctx: ActivityExecutionContext): DeclaredVariables | undefined {
    const node = this.counterpartOf(ctx.node);
    if (!node) return undefined;
    let declared = this.declared.get(node);
    if (!declared) this.declared.set(node, (declared = variablesOf(node)));
    return declared;
  }

  private lose(
    ctx: ActivityExecutionContext,
    { variable, value }: VariableSlot,
    mapped: string | undefined,
    place: Place | undefined,
  ): void {
    const { name } = variable;
    // Null says that it was emptied: no value is lost with it.
    if (mapped === undefined && (value === null || isDefault(variable, value)))
      return void this.moved.push({ name, activityInstanceId: ctx.id });
    const why = place
      ? `'${place.variable.name}' of the other version is not stored (it has no storage driver)`
      : mapped === undefined
        ? 'the other version has no such variable there'
        : `the other version has no variable '${mapped}' there`;
    this.refuse(
      'VariableLost',
      variable,
      `Variable '${name}' has a value, and ${why}. Map it to the one that takes its place, or to null to drop its value.`,
    );
  }

  private refuse(code: MigrationProblem['code'], { name }: Variable, message: string): void {
    this.problems.push({ code, message, variable: name });
  }

  private put(contextId: string, id: string, value: unknown): void {
    const values = this.results.get(contextId) ?? {};
    setMember(values, id, value);
    this.results.set(contextId, values);
  }
}

/** The first of each id and of each name. Looked for one by one, those of a version with thousands would take seconds. */
function variablesOf(node: ActivityNode): DeclaredVariables {
  const nested = node.nestedWorkflow && node.parent ? nestedSlots(node, {}).map((slot) => slot.variable) : [];
  const all = [...node.variables, ...nested].reverse();
  return { byId: new Map(all.map((v) => [v.id, v])), byName: new Map(all.map((v) => [v.name, v])) };
}

export function nameIn<T>(names: Readonly<Record<string, T>>, ...keys: readonly (string | undefined)[]): T | undefined {
  const key = keys.find((k) => k !== undefined && Object.hasOwn(names, k));
  return key === undefined ? undefined : names[key];
}

function isDefault(variable: Variable, value: unknown): boolean {
  const initial = variable.initial();
  return Object.is(initial, value) || serialize(initial) === serialize(value);
}
