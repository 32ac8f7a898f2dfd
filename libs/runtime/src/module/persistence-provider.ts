import { setImmediate } from 'node:timers/promises';
import type { InjectionToken, Provider } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { ModuleSetupError } from '@waymark/core';
import { requirePersistence } from '../options/require-persistence.js';
import { type PersistenceProvider, RUNTIME_OPTIONS, type ResolvedRuntimeOptions } from '../options/runtime-options.js';
import { MemoryPersistence } from '../persistence/memory/memory-persistence.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';

const MODULE = 'WorkflowModule';

/** Nest itself must see what a persistence depends on: it then makes it after the data source. */
export function persistenceProvider(given: WorkflowPersistence | PersistenceProvider | undefined): Provider {
  requirePersistence(given);
  if (given && 'useFactory' in given) return injectedPersistence(given);
  return {
    provide: WorkflowPersistence,
    inject: [RUNTIME_OPTIONS],
    useFactory: ({ persistence }: ResolvedRuntimeOptions) => {
      if (given) requireOne(persistence, given);
      else if (persistence && 'useFactory' in persistence)
        throw new ModuleSetupError(
          `${MODULE}.forRootAsync():`,
          'the factory returned a persistence that needs a data source. Pass it as `persistence`, beside useFactory.',
        );
      return given ?? persistence ?? new MemoryPersistence();
    },
  };
}

function injectedPersistence(given: PersistenceProvider): Provider {
  return {
    provide: WorkflowPersistence,
    // Optional, since Nest's own error names neither the option nor what to import.
    inject: [RUNTIME_OPTIONS, ModulesContainer, ...given.inject.map((token) => ({ token, optional: true }))],
    useFactory: async (
      { persistence }: ResolvedRuntimeOptions,
      modules: ModulesContainer,
      ...dependencies: readonly unknown[]
    ) => {
      requireOne(persistence, given);
      await requireInjected(given, dependencies, modules);
      return given.useFactory(...(dependencies as never[]));
    },
  };
}

/** Of two, one would be silently ignored. */
function requireOne(
  returned: ResolvedRuntimeOptions['persistence'],
  given: ResolvedRuntimeOptions['persistence'],
): void {
  if (returned && returned !== given)
    throw new ModuleSetupError(
      `${MODULE}.forRootAsync():`,
      '`persistence` is given, and the factory returns another one. Leave one of them out.',
    );
}

async function requireInjected(
  { inject, hint = '' }: PersistenceProvider,
  dependencies: readonly unknown[],
  modules: ModulesContainer,
): Promise<void> {
  const missing = inject.find((_, index) => dependencies[index] === undefined);
  if (missing === undefined) return;
  const name = nameOf(missing);
  const isProvided = [...modules.values()].some(({ providers }) => providers.has(missing));
  if (!isProvided)
    throw new ModuleSetupError(MODULE, `cannot open its persistence: no module provides ${name}. ${hint}`.trimEnd());
  // Where making it failed, that error says why, and has to come first.
  await setImmediate();
  throw new ModuleSetupError(
    MODULE,
    `cannot open its persistence: ${name} could not be injected. Either making it failed, or its module does not export it.`,
  );
}

function nameOf(token: InjectionToken): string {
  return typeof token === 'function' ? token.name : String(token);
}
