import { Activity } from '../activities/decorators.js';
import { ActivityNotFoundError } from '../errors/execution-errors.js';
import { ActivityBase } from '../execution/activity-base.js';

/** Placeholder for an activity whose type is not registered. It faults when it is executed. */
@Activity({
  type: 'Elsa.NotFoundActivity',
  category: 'System',
  description: 'A placeholder for an activity whose type is unknown.',
  isBrowsable: false,
})
export class NotFoundActivity extends ActivityBase {
  /** Set by the compiler for a type that it did not find, else from the definition. */
  private missingTypeName: string | undefined;

  /** Reads members of the JSON that are not inputs. The engine calls it once for each occurrence in a definition. */
  static readNode(json: Readonly<Record<string, unknown>>): Record<string, unknown> {
    return typeof json.missingTypeName === 'string' ? { missingTypeName: json.missingTypeName } : {};
  }

  /** Called by the engine. @throws ActivityNotFoundError (`WM2003`) */
  execute(): never {
    throw new ActivityNotFoundError(this.missingTypeName ?? '');
  }
}
