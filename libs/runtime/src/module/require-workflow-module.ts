import type { ModuleRef } from '@nestjs/core';
import { ModuleSetupError } from '@waymark/core';
import { RuntimeGate } from '../bursts/runtime-gate.js';

/**
 * For modules that need the runtime's services, which are global.
 * @param module which needs them, such as `WorkflowApiModule`
 * @throws ModuleSetupError (`WM1093`) where no module provides them
 */
export function requireWorkflowModule(module: string, modules: ModuleRef): void {
  try {
    modules.get(RuntimeGate, { strict: false });
  } catch {
    throw new ModuleSetupError(
      module,
      'needs WorkflowModule, which no module imports. Add WorkflowModule.forRoot(…) to the imports of the root module.',
    );
  }
}
