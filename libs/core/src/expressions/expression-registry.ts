import type { ExpressionDescriptor, ExpressionHandler } from './expression.js';

/** The expression syntaxes an engine knows. */
export class ExpressionRegistry {
  private readonly handlers = new Map<string, ExpressionHandler>();

  constructor(handlers: Iterable<ExpressionHandler> = []) {
    for (const handler of handlers) this.register(handler);
  }

  /** Adds a syntax; one of the same type is replaced. */
  register(handler: ExpressionHandler): void {
    this.handlers.set(handler.descriptor.type, handler);
  }

  /** The handler of that type; undefined: it is not known. */
  find(type: string): ExpressionHandler | undefined {
    return this.handlers.get(type);
  }

  /** Describes all of them to tools. */
  descriptors(): ExpressionDescriptor[] {
    return [...this.handlers.values()].map((h) => h.descriptor);
  }
}
