import { WaymarkError } from '../errors/waymark-error.js';
import { shortPath } from './value-path.js';

/** Thrown when a value has a part that cannot be stored and restored unchanged. */
export class ValueNotStorableError extends WaymarkError {
  readonly code = 'WM1102';
  /** Where in the value, e.g. `variables.Order.items[2]`. Of a long path, its beginning and its end. */
  readonly path: string;
  /** Why it cannot be stored. */
  readonly reason: string;

  constructor(fullPath: string, reason: string, options?: { cause?: unknown }) {
    const path = shortPath(fullPath);
    super(
      `${path === '' ? 'The value' : path} cannot be stored: ${reason}. ` +
        "Store plain data (objects, lists, text, numbers, dates, maps, sets, bytes), add its class to the option 'types' of " +
        'WorkflowModule, or store a key to look it up by.',
      options,
    );
    this.path = path;
    this.reason = reason;
  }
}
