import type {
  CompiledExpression,
  Expression,
  ExpressionDescriptor,
  ExpressionHandler,
  ExpressionScope,
} from '@waymark/core';
import { Liquid, LiquidError, type Template } from 'liquidjs';
import {
  ExpressionFailedError,
  ExpressionMemoryError,
  ExpressionSyntaxError,
  ExpressionTimeoutError,
} from '../errors/expression-errors.js';
import { fluidFilters, isDictionary } from './fluid-filters.js';
import { compileDirectTemplate, type DirectTemplate } from './direct-template.js';
import { resolveLiquidOptions, type LiquidOptions, type ResolvedLiquidOptions } from './liquid-options.js';
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
  private readonly engine: Liquid;

  constructor(options: LiquidOptions = {}) {
    this.options = resolveLiquidOptions(options);
    this.engine = createEngine(this.options);
  }

  compile({ value }: Expression): CompiledExpression {
    const source = value == null ? '' : String(value);
    if (source.trim() === '') return () => null;
    let parsed: Parsed | undefined;
    return (scope) => {
      parsed ??= this.parse(source);
      if (parsed instanceof ExpressionSyntaxError) throw parsed;
      // A rule of the format: a template that is not valid renders as the message that says why.
      return typeof parsed === 'string' ? parsed : this.render(parsed, scope);
    };
  }

  private parse(source: string): Parsed {
    if (source.length > this.options.maxTemplateLength) {
      return `The template is longer than ${this.options.maxTemplateLength} characters.`;
    }
    try {
      const templates = this.engine.parse(source);
      return { templates, direct: compileDirectTemplate(templates) };
    } catch (error) {
      const { message } = error as Error;
      if (message.startsWith('undefined filter')) return new ExpressionSyntaxError('Liquid', message, undefined);
      return message;
    }
  }

  private render({ templates, direct }: ParsedTemplate, scope: ExpressionScope): unknown {
    try {
      return direct?.(scope) ?? this.engine.renderSync(templates, templateScope(scope));
    } catch (error) {
      throw this.toError(error);
    }
  }

  private toError(error: unknown): Error {
    const { name, message, token } = error as LiquidError;
    if (message.includes('template render limit exceeded'))
      return new ExpressionTimeoutError('Liquid', this.options.timeoutMs);
    if (message.includes('memory alloc limit exceeded')) return new ExpressionMemoryError('Liquid', 'memory');
    const line = LiquidError.is(error) ? token.getPosition()[0] : undefined;
    return new ExpressionFailedError('Liquid', name, message, line);
  }
}

/** Templates ready to render, the message to render instead, or the error that a host asked for. */
type Parsed = ParsedTemplate | string | ExpressionSyntaxError;

interface ParsedTemplate {
  readonly templates: Template[];
  readonly direct: DirectTemplate | undefined;
}

function createEngine({ timeoutMs, memoryLimit, filters, strictFilters, now }: ResolvedLiquidOptions): Liquid {
  const engine = new Liquid({
    ownPropertyOnly: true,
    // An empty library of templates in memory instead of the file system.
    templates: {},
    renderLimit: timeoutMs,
    memoryLimit,
    strictFilters,
    // A template means the same on every server.
    timezoneOffset: 0,
    outputEscape: (value: unknown) => (isDictionary(value) ? JSON.stringify(value) : value) as string,
  });
  for (const [name, filter] of Object.entries({ ...fluidFilters(now), ...filters }))
    engine.registerFilter(name, filter);
  return engine;
}
