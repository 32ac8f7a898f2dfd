import type {
  CompiledExpression,
  Expression,
  ExpressionDescriptor,
  ExpressionHandler,
  ExpressionScope,
} from '@waymark/core';
import { Liquid, LiquidError, type Template } from 'liquidjs';
import { ExpressionFailedError, ExpressionMemoryError, ExpressionTimeoutError } from '../errors/expression-errors.js';
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
      return (error as Error).message;
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

/** Templates ready to render, or the message to render instead. */
type Parsed = ParsedTemplate | string;

interface ParsedTemplate {
  readonly templates: Template[];
  readonly direct: DirectTemplate | undefined;
}

function createEngine({ timeoutMs, memoryLimit, filters }: ResolvedLiquidOptions): Liquid {
  const engine = new Liquid({
    ownPropertyOnly: true,
    // An empty library of templates in memory instead of the file system.
    templates: {},
    renderLimit: timeoutMs,
    memoryLimit,
    outputEscape: (value: unknown) => (isDictionary(value) ? JSON.stringify(value) : value) as string,
  });
  engine.registerFilter('base64', (value: unknown) => {
    const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');
    return Buffer.from(text, 'utf8').toString('base64');
  });
  engine.registerFilter('keys', (value: unknown) => (isDictionary(value) ? Object.keys(value) : []));
  for (const [name, filter] of Object.entries(filters)) engine.registerFilter(name, filter);
  return engine;
}

function isDictionary(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
