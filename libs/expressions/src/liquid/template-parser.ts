import {
  type Liquid,
  Parser,
  Tag,
  type TagToken,
  type Template,
  type TopLevelToken,
  TypeGuards,
  Value,
} from 'liquidjs';
import { LiquidDecimal } from './liquid-decimal.js';
import type { RenderBudget } from './render-budget.js';
import { TemplateTokenizer } from './template-tokenizer.js';

/** Tags within tags. The parser calls itself for each. */
const MAX_NESTING = 100;

/**
 * The engine's parser, with a budget. Two of its habits take the square of the length of a template: it takes tokens from
 * the front of a list, which moves all others once the list is long, and a `{% liquid %}` within a `{% liquid %}` reads
 * its rest again.
 */
export class TemplateParser extends Parser {
  private nesting = 0;

  constructor(
    private readonly engine: Liquid,
    private readonly budget: RenderBudget,
  ) {
    super(engine);
  }

  override parse(source: string): Template[] {
    const { options } = this.engine;
    return this.parseTokens(new TemplateTokenizer(source, options.operators).readTopLevelTokens(options));
  }

  override parseTokens(tokens: TopLevelToken[]): Template[] {
    // A tag may hand on what is left of the template.
    const isQueue = (tokens as unknown) instanceof TokenQueue;
    return super.parseTokens(isQueue ? tokens : (new TokenQueue(tokens) as unknown as TopLevelToken[]));
  }

  override parseToken(token: TopLevelToken, remaining: TopLevelToken[]): ReturnType<Parser['parseToken']> {
    this.budget.check();
    if (this.nesting >= MAX_NESTING) throw new RangeError(`tags are nested more than ${MAX_NESTING} levels deep`);
    this.nesting++;
    try {
      const template = super.parseToken(token, remaining);
      readDecimals(template);
      return template;
    } finally {
      this.nesting--;
    }
  }
}

/** Numbers of outputs and assignments that are more than the engine's, such as `10.0`. */
function readDecimals({ value }: Template & { value?: unknown }): void {
  if (!(value instanceof Value)) return;
  const args = value.filters.flatMap(({ args }) => args.map((arg) => (Array.isArray(arg) ? arg[1] : arg)));
  for (const token of [...value.initial.postfix, ...args])
    if (TypeGuards.isNumberToken(token))
      Object.assign(token, { content: LiquidDecimal.parse(token.getText()).toTemplate() });
}

/** What the parser needs of a list of tokens; taking the first one takes no time. */
class TokenQueue {
  private readonly tokens: TopLevelToken[];

  constructor(tokens: readonly TopLevelToken[]) {
    this.tokens = [...tokens].reverse();
  }

  get length(): number {
    return this.tokens.length;
  }

  shift(): TopLevelToken | undefined {
    return this.tokens.pop();
  }
}

/** `{% # text %}`. That of the engine looks for lines without `#` with a pattern that takes the square of blank lines. */
export class CommentLineTag extends Tag {
  constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid) {
    super(token, remaining, liquid);
    const [, ...lines] = token.args.split('\n');
    if (lines.some((line) => !/^(?:#|$)/.test(line.trimStart())))
      throw new Error("every line of an inline comment must start with a '#' character");
  }

  override render(): void {}
}
