import type { ExpressionDescriptor, ExpressionHandler } from './expression.js';

/** The expression syntaxes an engine knows. */
export class ExpressionRegistry {
  private readonly handlers = new Map<string, ExpressionHandler>();

  constructor(handlers: Iterable<ExpressionHandler> = []) {
    for (const handler of handlers) this.register(handler);
  }

  register(handler: ExpressionHandler): void {
    this.handlers.set(handler.descriptor.type, handler);
  }

  find(type: string): ExpressionHandler | undefined {
    return this.handlers.get(type);
  }

  descriptors(): ExpressionDescriptor[] {
    return [...this.handlers.values()].map((h) => h.descriptor);
  }
}
