import { Activity } from '../activities/decorators.js';
import { ActivityNotFoundError } from '../errors/execution-errors.js';
import { ActivityBase } from '../execution/activity-base.js';

/** Stands for an activity whose type is not known here: faults when it is reached. */
@Activity({
  type: 'Elsa.NotFoundActivity',
  category: 'System',
  description: 'A placeholder for an activity whose type is unknown.',
  isBrowsable: false,
})
export class NotFoundActivity extends ActivityBase {
  /** Set by the compiler for a type that it did not find, else from the definition. */
  private missingTypeName: string | undefined;

  /** Reads what the inputs do not say, once for each place in a definition; the engine calls it. */
  static readNode(json: Readonly<Record<string, unknown>>): Record<string, unknown> {
    return typeof json.missingTypeName === 'string' ? { missingTypeName: json.missingTypeName } : {};
  }

  /** Called by the engine. @throws ActivityNotFoundError (`WM2003`) */
  execute(): never {
    throw new ActivityNotFoundError(this.missingTypeName ?? '');
  }
}
