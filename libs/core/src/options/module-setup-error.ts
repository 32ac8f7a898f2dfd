import { WaymarkError } from '../errors/waymark-error.js';

/**
 * Thrown when the modules of the application do not fit together. The message says which one is missing or in the wrong place.
 */
export class ModuleSetupError extends WaymarkError {
  readonly code = 'WM1093';
  constructor(
    /** The module, such as `WorkflowApiModule`. */
    readonly module: string,
    why: string,
  ) {
    super(`${module} ${why}`);
  }
}
