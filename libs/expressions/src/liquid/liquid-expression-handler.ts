import type {
  CompiledExpression,
  Expression,
  ExpressionDescriptor,
  ExpressionHandler,
  ExpressionScope,
} from '@waymark/core';
import { LiquidError, type Template } from 'liquidjs';
import {
  ExpressionFailedError,
  ExpressionMemoryError,
  ExpressionSizeError,
  ExpressionSyntaxError,
  ExpressionTimeoutError,
} from '../errors/expression-errors.js';
import { compileDirectTemplate, type DirectTemplate } from './direct-template.js';
import { resolveLiquidOptions, type LiquidOptions, type ResolvedLiquidOptions } from './liquid-options.js';
import { TemplateEngine } from './template-engine.js';
import { templateScope } from './template-scope.js';

/**
 * The expression syntax `Liquid`: templates that become text. They cannot read files, include other templates, or reach
 * anything but plain data, and rendering has limits.
 */
export class LiquidExpressionHandler implements ExpressionHandler {
  readonly descriptor: ExpressionDescriptor = {
    type: 'Liquid',
    displayName: 'Liquid',
    isSerializable: true,
    isBrowsable: true,
    properties: { MonacoLanguage: 'liquid' },
  };

  private readonly options: ResolvedLiquidOptions;
  private readonly engine: TemplateEngine;

  /** @throws ExpressionOptionError for a limit that cannot be one */
  constructor(options: LiquidOptions = {}) {
    this.options = resolveLiquidOptions(options);
    this.engine = new TemplateEngine(this.options);
  }

  compile({ value }: Expression): CompiledExpression {
    const source = value == null ? '' : String(value);
    if (source.trim() === '') return () => null;
    let parsed: Parsed | undefined;
    return (scope) => {
      const begin = parsed === undefined ? performance.now() : undefined;
      parsed ??= this.parse(source);
      if (parsed instanceof Error) throw parsed;
      // A rule of the format: a template that is not valid renders as the message that says why.
      return typeof parsed === 'string' ? parsed : this.render(parsed, scope, begin);
    };
  }

  /** @throws ExpressionTimeoutError: the next time the machine may have more time */
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
      if (message.startsWith('undefined filter')) return new ExpressionSyntaxError('Liquid', message, undefined);
      return message;
    }
  }

  private render({ templates, direct }: ParsedTemplate, scope: ExpressionScope, begin: number | undefined): unknown {
    try {
      return direct?.(scope) ?? this.engine.render(templates, templateScope(scope), begin);
    } catch (error) {
      throw toExpressionError(error);
    }
  }
}

function toExpressionError(error: unknown): Error {
  if (error instanceof ExpressionTimeoutError || error instanceof ExpressionMemoryError) return error;
  const { name, message, token } = error as LiquidError;
  const line = LiquidError.is(error) ? token.getPosition()[0] : undefined;
  return new ExpressionFailedError('Liquid', name, message, line);
}

/** Templates ready to render, the message to render instead, or the error that a host asked for. */
type Parsed = ParsedTemplate | string | ExpressionSyntaxError | ExpressionSizeError;

interface ParsedTemplate {
  readonly templates: Template[];
  readonly direct: DirectTemplate | undefined;
}
