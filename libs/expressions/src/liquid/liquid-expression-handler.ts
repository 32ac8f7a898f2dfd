import {
  type CompiledExpression,
  type Expression,
  type ExpressionDescriptor,
  type ExpressionFault,
  type ExpressionHandler,
  type ExpressionScope,
  WaymarkError,
} from '@waymark/core';
import { LiquidError, type Template } from 'liquidjs';
import {
  ExpressionFailedError,
  ExpressionSizeError,
  ExpressionSyntaxError,
  ExpressionTimeoutError,
} from '../errors/expression-errors.js';
import { secretsInTemplate } from '../secrets/mentioned-secrets.js';
import { ReadySecrets } from '../secrets/ready-secrets.js';
import { compileDirectTemplate, type DirectTemplate } from './direct-template.js';
import { resolveLiquidOptions, type LiquidOptions, type ResolvedLiquidOptions } from './liquid-options.js';
import { TemplateEngine } from './template-engine.js';
import { templateScope } from './template-scope.js';
import { unknownRoot } from './unknown-root.js';

/**
 * The expression syntax `Liquid`: templates that become text. They cannot read files, include other templates, or reach
 * anything but plain data, and rendering has limits.
 */
export class LiquidExpressionHandler implements ExpressionHandler {
  /** Describes the type to tools. */
  readonly descriptor: ExpressionDescriptor = {
    type: 'Liquid',
    displayName: 'Liquid',
    isSerializable: true,
    isBrowsable: true,
    properties: { MonacoLanguage: 'liquid' },
  };

  private readonly options: ResolvedLiquidOptions;
  private readonly engine: TemplateEngine;
  private readonly secrets: ReadySecrets | undefined;

  /** @throws ExpressionOptionError (`WM4006`) for a limit that cannot be one */
  constructor(options: LiquidOptions = {}) {
    this.options = resolveLiquidOptions(options);
    const { secrets } = this.options;
    this.secrets = secrets && new ReadySecrets(secrets);
    this.engine = new TemplateEngine(this.options);
  }

  /** Makes a function of a template. @throws ExpressionSyntaxError (`WM4004`), ExpressionSizeError (`WM4008`) */
  compile({ value }: Expression): CompiledExpression {
    const source = value == null ? '' : String(value);
    if (source.trim() === '') return () => null;
    const evaluate = this.evaluatorOf(source);
    const { secrets } = this;
    const named = secrets ? secretsInTemplate(source) : [];
    if (!secrets || named.length === 0) return evaluate;
    return (scope) => {
      const waiting = secrets.prepare(named, scope);
      return waiting ? waiting.then(() => evaluate(scope)) : evaluate(scope);
    };
  }

  /**
   * Why a text is not a template, or what it names that there is not. One that is not valid renders as the message that says why, an unknown
   * name as nothing: neither fails.
   */
  check({ value }: Expression): ExpressionFault | undefined {
    const source = value == null ? '' : String(value);
    try {
      const parsed = this.parse(source);
      if (parsed instanceof Error) return parsed;
      return typeof parsed === 'string' ? syntaxError(parsed) : unknownRoot(parsed.templates);
    } catch {
      // The next time the machine may have more time.
      return undefined;
    }
  }

  private evaluatorOf(source: string): CompiledExpression {
    let parsed: Parsed | undefined;
    return (scope) => {
      const begin = parsed === undefined ? performance.now() : undefined;
      parsed ??= this.parse(source);
      if (parsed instanceof Error) throw parsed;
      // A rule of the format: a template that is not valid renders as the message that says why.
      return typeof parsed === 'string' ? parsed : this.render(parsed, scope, begin);
    };
  }

  /** @throws ExpressionTimeoutError (`WM4001`): the next time the machine may have more time */
  private parse(source: string): Parsed {
    const { maxTemplateLength } = this.options;
    if (source.length > maxTemplateLength)
      return new ExpressionSizeError('Liquid', 'text', source.length, maxTemplateLength, 'maxTemplateLength');
    try {
      const templates = this.engine.parse(source);
      return { templates, direct: compileDirectTemplate(templates, this.options.memoryLimit) };
    } catch (error) {
      if (error instanceof ExpressionTimeoutError) throw error;
      const { message } = error as Error;
      if (message.startsWith('undefined filter')) return syntaxError(message);
      return message;
    }
  }

  private render({ templates, direct }: ParsedTemplate, scope: ExpressionScope, begin: number | undefined): unknown {
    const { secrets } = this;
    try {
      const value = direct?.(scope);
      if (value !== undefined) return value;
      scope.expectTimeToPass?.();
      return this.engine.render(
        templates,
        templateScope(scope),
        begin,
        secrets && ((name) => secrets.read(name, scope)),
      );
    } catch (error) {
      throw toExpressionError(error);
    }
  }
}

function toExpressionError(error: unknown): Error {
  // A limit, or a secret that cannot be had.
  if (error instanceof WaymarkError) return error;
  const { name, message, token } = error as LiquidError;
  const line = LiquidError.is(error) ? token.getPosition()[0] : undefined;
  return new ExpressionFailedError('Liquid', name, message, line);
}

/** The parser ends its messages with the place. */
function syntaxError(message: string): ExpressionSyntaxError {
  const place = /,? line:(\d+), col:(\d+)$/.exec(message);
  if (!place) return new ExpressionSyntaxError('Liquid', message, undefined);
  return new ExpressionSyntaxError('Liquid', message.slice(0, place.index), Number(place[1]), Number(place[2]));
}

/** Templates ready to render, the message to render instead, or the error that a host asked for. */
type Parsed = ParsedTemplate | string | ExpressionSyntaxError | ExpressionSizeError;

interface ParsedTemplate {
  readonly templates: Template[];
  readonly direct: DirectTemplate | undefined;
}
