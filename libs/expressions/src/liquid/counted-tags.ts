import {
  type Context,
  type Emitter,
  ForTag,
  type Hash,
  type Liquid,
  type Parser,
  TablerowTag,
  type TagToken,
  type Template,
  type TopLevelToken,
} from 'liquidjs';
import type { RenderBudget } from './render-budget.js';

type TagArguments = [token: TagToken, remaining: TopLevelToken[], liquid: Liquid, parser: Parser];

/** What of the context a loop without an element tells its tag. */
export interface LoopNotes {
  /** A loop has begun whose `limit` or `offset` left nothing. */
  isEmptyLoop: boolean;
}

/**
 * `{% for %}` whose `limit` and `offset` are made numbers once. Where they leave nothing, `{% else %}` is rendered, as for an empty list.
 */
export class CountedForTag extends ForTag {
  constructor(...args: TagArguments) {
    super(...args);
    this.hash = withNumbers(this.hash);
  }

  override *render(context: Context, emitter: Emitter): Generator<unknown, void | string, Template[]> {
    const notes = context as Context & LoopNotes;
    yield super.render(context, emitter);
    if (!notes.isEmptyLoop) return;
    notes.isEmptyLoop = false;
    yield this.liquid.renderer.renderTemplates(this.elseTemplates, context, emitter);
  }
}

/** `{% tablerow %}` whose `cols` is made a number once, and not for each cell. */
export class CountedTablerowTag extends TablerowTag {
  constructor(...args: TagArguments) {
    super(...args);
    this.args = withNumbers(this.args);
  }
}

/** Arguments of a tag that counts: a list is not a number, and finding that out reads all of it. */
function withNumbers(hash: Hash): Hash {
  const render = function* (context: Context): Generator<unknown, Record<string, unknown>, unknown> {
    const values = (yield hash.render(context)) as Record<string, unknown>;
    for (const [name, value] of Object.entries(values)) {
      if (typeof value !== 'object' || value === null) continue;
      (context.memoryLimit as unknown as RenderBudget).useValue(value);
      values[name] = Number(value);
    }
    return values;
  };
  return Object.assign(Object.create(hash) as Hash, { render });
}
