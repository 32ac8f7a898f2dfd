import type { InputDescriptor } from '../activities/activity-descriptor.js';
import { type ConversionOptions, convertValue } from '../values/convert-value.js';
import { acceptedForms } from '../values/accepted-forms.js';
import { isPlainObject, prop } from '../values/plain-object.js';
import { hasLongHours, toMilliseconds } from '../values/time-span.js';
import { ValueConversionError } from '../values/value-conversion-error.js';
import type { ValueType } from '../values/value-type.js';
import { CODE_MATERIALIZER, conversionOf } from './conversion-of.js';
import type { DefinitionContext } from './definition-context.js';
import { memberName } from './node-members.js';
import { shapeOf } from './node-shapes.js';
import type { DefinitionProblem } from './validate-definition.js';
import { type ActivityVisit, descriptorsOf, walkActivities } from './walk-activities.js';
import type { VariableDefinition, WorkflowDefinition } from './workflow-definition.js';

type Definition = Pick<WorkflowDefinition, 'root' | 'variables' | 'materializerName' | 'options'>;
type Context = Pick<DefinitionContext, 'registry' | 'types'>;

/**
 * Finds constants that cannot be converted to the type of their input, where conversions are strict, and in all workflows in
 * code. In these also defaults of variables, and text that is blank where a number or a time is wanted.
 */
export function constantProblems(definition: Definition, { registry, types }: Context): DefinitionProblem[] {
  const isCode = definition.materializerName === CODE_MATERIALIZER;
  const check = new ConstantCheck(definition, isCode);
  if (isCode) for (const variable of definition.variables) check.variable(variable, types);
  walkActivities(definition.root, descriptorsOf(registry), (visit) => {
    if (!visit.descriptor) return;
    if (isCode) check.blanks(visit);
    for (const constant of constantsOf(visit, types)) if (check.refuses(constant)) check.input(visit, constant);
    if (isCode && visit.descriptor.isContainer)
      for (const variable of (visit.node.variables ?? []) as VariableDefinition[])
        check.variable(variable, types, visit.node.id);
  });
  return check.problems;
}

/**
 * Finds constants that do not mean what they seem to mean: `72:00:00`, which .NET reads as 72 days, and those that do not
 * convert where conversions are lenient, which become 0 or `00:00:00` in silence when the activity runs.
 */
export function constantWarnings(definition: Definition, { registry, types }: Context): DefinitionProblem[] {
  const isCode = definition.materializerName === CODE_MATERIALIZER;
  const check = new ConstantCheck(definition, isCode);
  const { problems: warnings } = check;
  const hasLongHoursOfElsa = !conversionOf(definition)?.longHours;
  walkActivities(definition.root, descriptorsOf(registry), (visit) => {
    for (const constant of constantsOf(visit, types)) {
      const { input, type, value } = constant;
      if (!check.refuses(constant)) check.input(visit, constant);
      if (!hasLongHoursOfElsa || type.kind !== 'timespan' || typeof value !== 'string' || !hasLongHours(value))
        continue;
      const hours = value.trim().split(':')[0]!;
      warnings.push({
        message:
          `'${memberName(input)}' of activity '${visit.node.id}' (${visit.node.type}) is '${value}', which means ${hours} days, as in Elsa. ` +
          `Write '${hours}.00:00:00' or '${hours} days' if that is meant, and '${hours}h' for hours.`,
        activityId: visit.node.id,
      });
    }
  });
  return warnings;
}

interface ConstantInput {
  readonly input: InputDescriptor;
  readonly type: ValueType;
  readonly value: unknown;
}

function constantsOf({ node, descriptor }: ActivityVisit, types: Context['types']): ConstantInput[] {
  if (!descriptor) return [];
  const special = shapeOf(descriptor.typeName).special ?? {};
  return descriptor.inputs.flatMap((input) => {
    const name = memberName(input);
    const type = input.isWrapped && !special[name] ? types.resolve(input.typeName) : undefined;
    const constant = type && constantOf(node[name], type);
    return constant ? [{ input, type, value: constant.value }] : [];
  });
}

function constantOf(json: unknown, { kind }: ValueType): { readonly value: unknown } | undefined {
  if (json === undefined || json === null) return undefined;
  if (!isPlainObject(json)) return Array.isArray(json) ? undefined : { value: json };
  const expression = prop(json, 'expression');
  if (!isPlainObject(expression)) return undefined;
  const { type, value } = expression;
  if (value === undefined || value === null) return undefined;
  if (type === 'Literal') return { value: typeof value === 'object' ? JSON.stringify(value) : value };
  // Lists and objects of workflows in code. The entries of a dictionary may be expressions of their own.
  return type === 'Object' && (Array.isArray(value) || (kind === 'string' && isPlainObject(value)))
    ? { value }
    : undefined;
}

function isBlank(json: unknown): boolean {
  if (!isPlainObject(json))
    return json === undefined || json === null || (typeof json === 'string' && json.trim() === '');
  const expression = prop(json, 'expression');
  if (!isPlainObject(expression) || expression.type !== 'Literal') return false;
  const { value } = expression;
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

const withBigInts = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);

interface Checked {
  /** What the message begins with. */
  readonly what: string;
  readonly type: ValueType;
  readonly value: unknown;
  readonly isSecret: boolean;
  /** If true, it is a warning, and the message says what becomes of the value. */
  readonly isPublished: boolean;
  readonly activityId: string | undefined;
}

class ConstantCheck {
  readonly problems: DefinitionProblem[] = [];
  private readonly conversion: ConversionOptions | undefined;

  constructor(
    definition: Definition,
    private readonly isCode: boolean,
  ) {
    this.conversion = conversionOf(definition);
  }

  /**
   * Whether such a constant prevents publishing. Elsa takes any, so what comes from there is published, but for what would be published
   * without its protection.
   */
  refuses({ input, type }: Pick<ConstantInput, 'input' | 'type'>): boolean {
    return this.isCode || input.isStrict === true || (this.conversion?.strict ?? type.isStrict ?? false);
  }

  input({ node }: ActivityVisit, { input, type, value }: ConstantInput): void {
    const what = `'${memberName(input)}' of activity '${node.id}' (${node.type})`;
    const isSecret = input.isSensitive || input.isEncrypted === true;
    const isPublished = !this.refuses({ input, type });
    if (this.check({ what, type, value, isSecret, isPublished, activityId: node.id })) return;
    if (this.isCode && input.isNonNegative && this.isNegative(type, value))
      this.problems.push({ message: `${what} is negative. Give zero or more.`, activityId: node.id });
  }

  /** Inputs that need a value which is not blank, and have none. */
  blanks({ node, descriptor }: ActivityVisit): void {
    for (const input of descriptor?.inputs ?? []) {
      if (!input.isNonBlank || !isBlank(node[memberName(input)])) continue;
      const what = `'${memberName(input)}' of activity '${node.id}' (${node.type})`;
      this.problems.push({ message: `${what} is blank. Give it a value.`, activityId: node.id });
    }
  }

  variable(
    { name, typeName, isArray, value, storageDriverTypeName }: VariableDefinition,
    types: Context['types'],
    activityId?: string,
  ): void {
    const type = types.resolve(isArray ? `${typeName}[]` : typeName);
    // An empty text is what tools write for no default.
    if (!type || value === undefined || value === null || value === '') return;
    const isSecret = storageDriverTypeName?.includes('Encrypted') === true;
    this.check({ what: `The default of variable '${name}'`, type, value, isSecret, isPublished: false, activityId });
  }

  /** @returns whether there is a problem */
  private check({ what, type, value, isSecret, isPublished, activityId }: Checked): boolean {
    const reason = this.reason(type, value);
    if (reason === undefined) return false;
    const shown = isSecret ? `the value, which is secret, cannot be converted to ${type.alias}.` : reason;
    const then = isPublished ? ` ${this.consequence(type, value, isSecret)}` : '';
    this.problems.push({ message: `${what}: ${shown}${then}`, activityId });
    return true;
  }

  /** Of a constant that is published all the same. */
  private consequence(type: ValueType, value: unknown, isSecret: boolean): string {
    try {
      const becomes = JSON.stringify(convertValue(value, type, this.conversion), withBigInts);
      return `When the activity runs, it becomes ${isSecret ? 'the default of its type' : becomes}.`;
    } catch {
      return 'The activity faults when it is reached.';
    }
  }

  private isNegative(type: ValueType, value: unknown): boolean {
    const converted = convertValue(value, type, this.conversion);
    if (type.kind !== 'timespan') return (converted as number) < 0;
    return (toMilliseconds(converted) ?? 0) < 0;
  }

  /** A constant in JSON for an `Int64`, whose last digits are lost when the definition is read. */
  private isRounded({ kind }: ValueType, value: unknown): boolean {
    return !this.isCode && kind === 'bigint' && Number.isInteger(value) && !Number.isSafeInteger(value);
  }

  private reason(type: ValueType, value: unknown): string | undefined {
    const forms = acceptedForms(type);
    if (
      this.isCode &&
      type.kind !== 'string' &&
      forms !== undefined &&
      typeof value === 'string' &&
      value.trim() === ''
    )
      return `it is blank. Leave it out, or write ${forms}.`;
    try {
      // What loses something is refused only where it would be when it runs: Elsa takes 3.7 for an Int32. But it has all digits of a
      // large number.
      const lossless = (this.conversion?.strict ?? type.isStrict ?? false) || this.isRounded(type, value);
      convertValue(value, type, {
        strict: true,
        lossless,
        longHours: this.conversion?.longHours,
      });
      return undefined;
    } catch (error) {
      if (error instanceof ValueConversionError) return error.message;
      throw error;
    }
  }
}
