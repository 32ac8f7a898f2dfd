import { Inject, Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { type ExpressionHandler, ModuleSetupError } from '@waymark/core';
import { WorkflowEngine } from '../engine/workflow-engine.js';
import { RUNTIME_OPTIONS, type ResolvedRuntimeOptions } from '../options/runtime-options.js';
import { isExpressionSyntax } from './expression-syntax.js';
import { requireSingleton } from './require-singleton.js';

/** Finds providers that are expression handlers, of any module, and registers them. */
@Injectable()
export class ExpressionExplorer {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly engine: WorkflowEngine,
    @Inject(RUNTIME_OPTIONS) private readonly options: ResolvedRuntimeOptions,
  ) {}

  /**
   * @throws ProviderScopeError (`WM1045`) for a handler that is request-scoped or transient, ModuleSetupError (`WM1093`) for two classes of one type:
   * which one counts would be chance
   */
  registerAll(): void {
    const given = new Set(this.options.expressions.map(({ descriptor }) => descriptor.type));
    const found = new Map<string, ExpressionHandler>();
    for (const wrapper of this.discovery.getProviders()) {
      const handler = wrapper.instance as ExpressionHandler | null | undefined;
      // Of what a factory or a value provides, only the object tells its class.
      if (!isExpressionSyntax(handler?.constructor ?? wrapper.metatype)) continue;
      requireSingleton(wrapper, 'Expression handler');
      if (!handler) continue;
      const { type } = handler.descriptor;
      if (given.has(type)) continue;
      const other = found.get(type);
      if (other && other.constructor !== handler.constructor)
        throw new ModuleSetupError(
          'WorkflowModule',
          `finds two handlers for expressions of type "${type}", ${other.constructor.name} and ${handler.constructor.name}. ` +
            'Remove one of them, or give the one to use as `expressions` to WorkflowModule.forRoot().',
        );
      if (!other) found.set(type, handler);
    }
    for (const handler of found.values()) this.engine.expressions.register(handler);
  }
}
