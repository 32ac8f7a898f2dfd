import type { CompiledExpression, Expression } from '../expressions/expression.js';
import { type LogPersistenceMode, namedMode } from '../definitions/log-persistence-mode.js';
import type { ExpressionScope } from '../expressions/expression-scope.js';
import { isPromiseLike } from '../values/promise-like.js';

export type { LogPersistenceMode };

/** Decides which evaluated inputs and outputs the records of an activity keep. */
export interface LogPersistence {
  /** @param name camelCase */
  keepsInput(name: string): boolean;
  /** @param name camelCase */
  keepsOutput(name: string): boolean;
  /** Properties and journal data besides outcomes. */
  readonly keepsInternalState: boolean;
}

/** The rules of one activity, worked out once when a graph is compiled. */
export interface LogPersistenceRules {
  /** Present when the rules hold expressions: their modes, evaluated before the activity runs. */
  decide?(scope: ExpressionScope): readonly LogPersistenceMode[] | Promise<readonly LogPersistenceMode[]>;
  /** @param decided the modes from `decide`; while they are missing, nothing that depends on them is kept */
  with(decided: readonly LogPersistenceMode[] | undefined): LogPersistence;
}

export interface LogPersistenceContext {
  /** Mode of the application. @default 'Inherit' */
  readonly application?: LogPersistenceMode;
  compile(expression: Expression): CompiledExpression;
}

/** `Configuration` goes straight to the application; a number names an expression. */
type Level = LogPersistenceMode | 'Configuration' | number;
interface Levels {
  fallback: Level;
  inputs: ReadonlyMap<string, Level>;
  outputs: ReadonlyMap<string, Level>;
  internalState: Level;
}
type Json = Readonly<Record<string, unknown>>;

/**
 * Property level → activity default → workflow → application; `Inherit` everywhere means Include. Reads the current
 * form (`logPersistenceConfig`) and the older one (`logPersistenceMode`).
 * @returns undefined when everything is kept: the common case costs nothing at run time
 */
export function resolveLogPersistence(
  activity: Json,
  workflow: Json,
  { application = 'Inherit', compile }: LogPersistenceContext,
): LogPersistenceRules | undefined {
  const expressions: CompiledExpression[] = [];
  const add = (expression: Expression) => expressions.push(compile(expression)) - 1;
  const own = readLevels(activity, add);
  const outer = workflow === activity ? own : readLevels(workflow, add);
  if (!own && !outer && application !== 'Exclude') return undefined;
  const rules = (decided: readonly LogPersistenceMode[] | undefined): LogPersistence => {
    const pick = (...levels: (Level | undefined)[]): LogPersistenceMode => {
      for (const level of levels) {
        const mode = typeof level === 'number' ? (decided ? (decided[level] ?? 'Inherit') : 'Exclude') : level;
        if (mode === 'Configuration') return application;
        if (mode !== undefined && mode !== 'Inherit') return mode;
      }
      return application;
    };
    const base = [own?.fallback, outer?.fallback];
    return {
      keepsInput: (name) => pick(own?.inputs.get(name), ...base) !== 'Exclude',
      keepsOutput: (name) => pick(own?.outputs.get(name), ...base) !== 'Exclude',
      keepsInternalState: pick(own?.internalState, ...base) !== 'Exclude',
    };
  };
  const fixed = rules(undefined);
  if (expressions.length === 0) return { with: () => fixed };
  return { decide: (scope) => evaluateAll(expressions, scope), with: rules };
}

/** One after the other: two scripts of one activity must not run at the same time. */
function evaluateAll(
  expressions: readonly CompiledExpression[],
  scope: ExpressionScope,
  decided: LogPersistenceMode[] = [],
): readonly LogPersistenceMode[] | Promise<readonly LogPersistenceMode[]> {
  while (decided.length < expressions.length) {
    const mode = evaluateMode(expressions[decided.length]!, scope);
    if (isPromiseLike(mode)) return mode.then((m) => evaluateAll(expressions, scope, [...decided, m]));
    decided.push(mode);
  }
  return decided;
}

/**
 * What is logged must not decide whether a workflow runs; so an expression that fails is not a fault. But the author wanted to
 * leave something out: what was not understood is left out, or a secret would be stored.
 */
function evaluateMode(
  expression: CompiledExpression,
  scope: ExpressionScope,
): LogPersistenceMode | Promise<LogPersistenceMode> {
  try {
    const value = expression(scope);
    return isPromiseLike(value)
      ? Promise.resolve(value).then(modeOfValue, (): LogPersistenceMode => 'Exclude')
      : modeOfValue(value);
  } catch {
    return 'Exclude';
  }
}

/** Name or number of the reference's enumeration: Inherit 0, Include 1, Exclude 2. Without a value, it is inherited. */
function modeOfValue(value: unknown): LogPersistenceMode {
  if (value === null || value === undefined || value === '') return 'Inherit';
  if (typeof value === 'number') return (['Inherit', 'Include', 'Exclude'] as const)[value] ?? 'Exclude';
  const mode = typeof value === 'string' ? namedMode(value) : undefined;
  return mode === 'Configuration' ? 'Inherit' : (mode ?? 'Exclude');
}

/** The older form counts for what the current one does not say: definitions that were edited in both carry both. */
function readLevels(properties: Json, add: (expression: Expression) => number): Levels | undefined {
  const legacy = properties.logPersistenceMode;
  const plain = typeof legacy === 'string' ? { default: legacy } : asObject(legacy);
  const config = asObject(properties.logPersistenceConfig);
  const internalState = properties.internalState ?? config?.internalState ?? plain?.internalState;
  if (!config && !plain && (internalState === undefined || internalState === null)) return undefined;
  const level = (value: unknown) => readLevel(value, add);
  const members = (kind: 'inputs' | 'outputs') => {
    const modes = { ...asObject(plain?.[kind]) };
    for (const [name, mode] of Object.entries(asObject(config?.[kind]) ?? {})) if (mode !== null) modes[name] = mode;
    return new Map(Object.entries(modes).map(([name, mode]) => [name, level(mode)] as const));
  };
  return {
    fallback: level(config?.default ?? plain?.default),
    inputs: members('inputs'),
    outputs: members('outputs'),
    internalState: level(internalState),
  };
}

/** A plain mode, `{ evaluationMode: 'Strategy', strategyType }` whose type ends in the mode's name, or an expression. */
function readLevel(value: unknown, add: (expression: Expression) => number): Level {
  if (typeof value === 'string') return modeOfName(value);
  const level = asObject(value);
  const expression = asObject(level?.expression);
  const isComputed = String(level?.evaluationMode ?? '').toLowerCase() === 'expression';
  if (isComputed && typeof expression?.type === 'string') return add(expression as unknown as Expression);
  return modeOfName(String(level?.strategyType ?? ''));
}

/** An unknown name counts as not given: publishing warns of it. */
const modeOfName = (text: string): LogPersistenceMode | 'Configuration' => namedMode(text) ?? 'Inherit';

function asObject(value: unknown): Json | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
}
