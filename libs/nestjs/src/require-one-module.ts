import type { Type } from '@nestjs/common';
import type { ModulesContainer } from '@nestjs/core';
import { ModuleSetupError } from '@waymark/core';

/** @throws ModuleSetupError (`WM1093`) for a module that was imported twice: each would run an engine of its own */
export function requireOneModule(modules: ModulesContainer, metatype: Type): void {
  const count = [...modules.values()].filter((module) => module.metatype === metatype).length;
  if (count > 1)
    throw new ModuleSetupError(
      metatype.name,
      `is imported ${count} times. Import it once, in the root module: it is global, and other modules only list their providers.`,
    );
}
