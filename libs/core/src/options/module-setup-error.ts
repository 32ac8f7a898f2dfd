import { WaymarkError } from '../errors/waymark-error.js';

/** The modules of the application do not fit together: the message says which is missing, or stands in the wrong place. */
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
