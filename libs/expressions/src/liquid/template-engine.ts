import {
  Context,
  Drop,
  type Emitter,
  type FilterImplOptions,
  Liquid,
  LiquidError,
  type Template,
  RenderError,
} from 'liquidjs';
import { counted } from './counted-filters.js';
import { CountedForTag, CountedTablerowTag, type LoopNotes } from './counted-tags.js';
import { drive } from './drive.js';
import { fluidFilters, isDictionary } from './fluid-filters.js';
import type { ResolvedLiquidOptions } from './liquid-options.js';
import { LiquidDecimal, numberText } from './liquid-decimal.js';
import { numberFilters } from './number-filters.js';
import { templateOperators } from './operators.js';
import { RenderBudget } from './render-budget.js';
import { sampleFilter } from './sample-filter.js';
import { sortFilters } from './sort-filters.js';
import { CommentLineTag, TemplateParser } from './template-parser.js';
import { ZonedDate } from './zoned-date.js';
import { joinFilter, textFilters, textOf } from './text-filters.js';

/** liquidjs, where everything that a template can make it do is counted. */
export class TemplateEngine {
  private readonly engine: Liquid;

  constructor(private readonly options: ResolvedLiquidOptions) {
    this.engine = createEngine(options);
  }

  /** @throws ExpressionTimeoutError, which says nothing about the next time · LiquidError, RangeError for text that is not a template */
  parse(source: string): Template[] {
    const budget = new RenderBudget(this.options);
    try {
      return new TemplateParser(this.engine, budget).parse(source);
    } catch (error) {
      throw budget.failure ?? error;
    }
  }

  /** @throws ExpressionTimeoutError, ExpressionMemoryError · LiquidError from a tag or a filter */
  render(templates: Template[], scope: object, begin?: number, secretOf?: (name: unknown) => string): string {
    const budget = new RenderBudget(this.options, begin, secretOf);
    const limiter = budget as unknown as Context['memoryLimit'];
    const context = new CountedContext(
      scope,
      this.engine.options,
      { sync: true },
      { memoryLimit: limiter, renderLimit: limiter, liquid: this.engine },
    );
    try {
      return drive(this.engine.renderer.renderTemplates(templates, context), budget) as string;
    } catch (error) {
      throw budget.failure ?? error;
    }
  }
}

function createEngine({ filters, strictFilters, secrets, now }: ResolvedLiquidOptions): Liquid {
  const engine = new Liquid({
    ownPropertyOnly: true,
    // An empty library of templates in memory instead of the file system.
    templates: {},
    strictFilters,
    // A template means the same on every server.
    timezoneOffset: 0,
    operators: templateOperators(),
    outputEscape,
  });
  const ofSecrets = secrets && { secret: secretFilter };
  const ofLists = { ...sortFilters, sample: sampleFilter, join: joinFilter };
  const own = {
    ...textFilters(),
    ...ofLists,
    ...numberFilters,
    ...fluidFilters(now),
    ...ofSecrets,
    ...ofHost(filters),
  };
  for (const [name, filter] of Object.entries({ ...engine.filters, ...own }))
    engine.registerFilter(name, counted(name, filter));
  engine.registerTag('#', CommentLineTag);
  engine.registerTag('for', CountedForTag);
  engine.registerTag('tablerow', CountedTablerowTag);
  // Where the engine makes an emitter of its own, as for `capture`, this renderer makes one that counts.
  Object.assign(engine, { renderer: { renderTemplates } });
  return engine;
}

/** Filters of the host know numbers and texts, and nothing of how templates count and show dates. */
function ofHost(filters: ResolvedLiquidOptions['filters']): Record<string, FilterImplOptions> {
  const entries = Object.entries(filters).map(([name, filter]): [string, FilterImplOptions] => [
    name,
    function (this: unknown, ...args: unknown[]) {
      const [value, ...rest] = args.map(plainOf);
      return filter.call(this, value, ...rest);
    },
  ]);
  return Object.fromEntries(entries);
}

function plainOf(value: unknown): unknown {
  return value instanceof LiquidDecimal || value instanceof ZonedDate ? value.toJSON() : value;
}

/** `{{ 'name' | secret }}` */
const secretFilter: FilterImplOptions = function (name: unknown) {
  return (this.context.memoryLimit as unknown as RenderBudget).secret(name);
};

function outputEscape(this: unknown, value: unknown): string {
  // The engine would make it a number, which does not know its places.
  if (value instanceof LiquidDecimal) return value.toString();
  if (typeof value === 'number') return numberText(value);
  // Constants such as `nil` are objects of the engine, which writes them.
  if (!isDictionary(value) || value instanceof Drop) return value as string;
  (this as { context: { memoryLimit: RenderBudget } }).context.memoryLimit.useValue(value);
  return JSON.stringify(value);
}

/**
 * A list may be used as the name of a member. It becomes a text once: the engine would make it one for each scope and object. And a
 * loop in a loop knows the outer one, which the engine leaves out.
 */
class CountedContext extends Context implements LoopNotes {
  isEmptyLoop = false;
  private readonly loops: (Loop | undefined)[] = [];

  override push(scope: LoopScope): number {
    const loop = Object.hasOwn(scope, 'forloop') ? scope.forloop : undefined;
    const outer = loop && this.loops.findLast((around) => around !== undefined);
    if (outer) scope.parentloop = loop.parentloop = outer;
    if (loop?.length === 0) this.isEmptyLoop = true;
    this.loops.push(loop);
    return super.push(scope);
  }

  override pop(): ReturnType<Context['pop']> {
    this.loops.pop();
    return super.pop();
  }

  override _get(paths: Path): ReturnType<Context['_get']> {
    const [root, ...members] = paths;
    return super._get(isList(root) ? [this.nameOf(root), ...members] : paths);
  }

  override readProperty(object: Scope, key: PropertyKey): unknown {
    return super.readProperty(object, isList(key) ? this.nameOf(key) : key) as unknown;
  }

  override spawn(scope = {}): Context {
    const { sync, memoryLimit, renderLimit, liquid } = this;
    return new CountedContext(scope, this.opts, { sync }, { memoryLimit, renderLimit, liquid: liquid as unknown });
  }

  private nameOf(list: unknown[]): string {
    (this.memoryLimit as unknown as RenderBudget).useValue(list);
    return String(list);
  }
}

const isList = (value: unknown): value is unknown[] => Array.isArray(value);

interface Loop {
  parentloop?: Loop;
  readonly length: number;
}

/** What a `{% for %}` adds to the names that can be read in it. */
interface LoopScope {
  forloop?: Loop;
  parentloop?: Loop;
}

type Path = Parameters<Context['_get']>[0];
type Scope = Parameters<Context['readProperty']>[0];
type PropertyKey = Parameters<Context['readProperty']>[1];

function* renderTemplates(
  templates: readonly Template[],
  context: Context,
  emitter: Emitter = new CountingEmitter(context.memoryLimit as unknown as RenderBudget),
): Generator<unknown, string, unknown> {
  for (const template of templates) {
    try {
      const text = yield template.render(context, emitter);
      if (text) emitter.write(text);
    } catch (error) {
      throw LiquidError.is(error) ? error : new RenderError(error as Error, template);
    }
    if (context.breakCalled || context.continueCalled) break;
  }
  return (emitter as CountingEmitter).buffer;
}

/** What is written counts, plain text of the template included. */
class CountingEmitter {
  buffer = '';

  constructor(private readonly budget: RenderBudget) {}

  write(value: unknown): void {
    this.budget.useValue(value);
    this.buffer += textOf(value);
  }
}
