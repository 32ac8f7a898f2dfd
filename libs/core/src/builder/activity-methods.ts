import { ActivityClassError } from '../activities/activity-class-error.js';
import { syntheticName } from '../activities/synthetic-name.js';
import { ActivityBase } from '../execution/activity-base.js';
import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';
import { isPromiseLike } from '../values/promise-like.js';
import { pascalCase, titleWords } from '../values/names.js';
import { metadataOf } from '../activities/activity-metadata.js';
import type { ActivityOptions, Constructor, InputOptions, OutputOptions } from '../activities/decorators.js';
import { checkMethodOptions } from './check-method.js';

/** Options of `@ActivityMethod`. All of them have defaults. */
export interface ActivityMethodOptions extends Omit<
  ActivityOptions,
  'kind' | 'isContainer' | 'isStart' | 'isTerminal'
> {
  /** Inputs by name, as the method receives them. @default none */
  inputs?: Readonly<Record<string, InputOptions>> | undefined;
  /** What the method returns. @default type `Object` */
  output?: OutputOptions | undefined;
  /** How the method runs: a `Task` may run in the background, a `Job` always does. @default 'Action' */
  kind?: 'Action' | 'Task' | 'Job' | undefined;
}

// A registered symbol on the class itself, as for classes.
const KEY = Symbol.for('@waymark/core:activity-methods');
type Holder = { [KEY]?: Map<string, ActivityMethodOptions> };

/**
 * Makes a method of a provider an activity: `App.{class}.{method}`. The method is called with its inputs, by name, and the
 * execution context. The value that it returns or resolves to is the output `Output`.
 *
 * ```ts
 * @ActivityMethod({ inputs: { amount: { type: 'Double' }, currency: { type: 'String' } } })
 * toEuro({ amount, currency }: { amount: number; currency: string }, ctx: ActivityExecutionContext) { … }
 * ```
 * @throws UnknownOptionError (`WM1091`) and InvalidOptionError (`WM1090`) when the class is loaded
 */
export function ActivityMethod(options: ActivityMethodOptions = {}): MethodDecorator {
  return (target, key) => {
    checkMethodOptions(target, key, options);
    const holder = target.constructor as Holder;
    if (!Object.hasOwn(holder, KEY)) Object.defineProperty(holder, KEY, { value: new Map() });
    holder[KEY]!.set(String(key), options);
  };
}

/** Lists the methods of the class and its base classes that are decorated with `@ActivityMethod`. */
export function activityMethods(hostClass: unknown): ReadonlyMap<string, ActivityMethodOptions> {
  const methods = new Map<string, ActivityMethodOptions>();
  for (let c = hostClass; typeof c === 'function'; c = Object.getPrototypeOf(c))
    if (Object.hasOwn(c, KEY))
      for (const [name, options] of (c as Holder)[KEY]!) if (!methods.has(name)) methods.set(name, options);
  return methods;
}

/** A method as an activity: its class, which is the same each time, and the object whose methods it calls. */
export interface MethodActivity {
  /** Described as the method is. */
  readonly activityClass: Constructor;
  /** Prototype of its executions. */
  readonly provider: object;
}

/**
 * Every method of a provider that is an activity.
 * @param hostClass the class with the decorators @param host what provides the methods: an instance of the class, or what stands in for one
 */
export function methodActivities(hostClass: Constructor, host: object): MethodActivity[] {
  return [...activityMethods(hostClass)].map(([method, options]) => {
    const activityClass = describedClass(hostClass, method, options);
    return { activityClass, provider: new activityClass(host, method, Object.keys(options.inputs ?? {})) };
  });
}

/** With a capital, so that an input called `execute` does not hide the method of the activity. */
const propertyOf = (input: string): string => syntheticName(pascalCase(input));

/** By class and method: one class may be provided by several modules, and is the same activity then. */
const described = new WeakMap<Constructor, Map<string, typeof HostMethod>>();

/** A class of its own for each method, so that it is described as classes are: by what decorators say. */
function describedClass(hostClass: Constructor, method: string, options: ActivityMethodOptions): typeof HostMethod {
  const ofClass = described.get(hostClass) ?? new Map<string, typeof HostMethod>();
  described.set(hostClass, ofClass);
  const known = ofClass.get(method);
  if (known) return known;
  class DescribedMethod extends HostMethod {}
  ofClass.set(method, DescribedMethod);
  // For errors: two methods may claim one type.
  Object.defineProperty(DescribedMethod, 'name', { value: `${hostClass.name}.${method}()` });
  const { inputs = {}, output, ...activity } = options;
  const metadata = metadataOf(DescribedMethod);
  metadata.activity = {
    type: `${activity.namespace ?? 'App'}.${hostClass.name}.${pascalCase(method)}`,
    category: titleWords(hostClass.name),
    ...activity,
  };
  for (const [name, input] of Object.entries(inputs))
    metadata.inputs.set(propertyOf(name), { displayName: titleWords(pascalCase(name)), ...input });
  metadata.outputs.set('output', { type: 'Object', ...output, name: 'Output' });
  return DescribedMethod;
}

class HostMethod extends ActivityBase {
  constructor(
    private readonly host: object,
    private readonly method: string,
    private readonly inputNames: readonly string[],
  ) {
    super();
  }

  execute(ctx: ActivityExecutionContext): unknown {
    const values = this as unknown as Readonly<Record<string, unknown>>;
    const inputs = Object.fromEntries(this.inputNames.map((name) => [name, values[propertyOf(name)]]));
    const host = this.host as Record<string, ((inputs: object, ctx: ActivityExecutionContext) => unknown) | undefined>;
    if (typeof host[this.method] !== 'function')
      throw new ActivityClassError(
        ctx.node.type,
        `what is provided in place of its class has no method ${this.method}(). Give it one.`,
      );
    const result = host[this.method]!(inputs, ctx);
    return isPromiseLike(result) ? result.then((value) => this.keep(ctx, value)) : this.keep(ctx, result);
  }

  private keep(ctx: ActivityExecutionContext, value: unknown): void {
    if (value !== undefined) ctx.setOutput('Output', value);
  }
}
