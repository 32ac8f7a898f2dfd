import { Activity } from '../activities/decorators.js';
import { ActivityNotFoundError } from '../errors/execution-errors.js';
import { ActivityBase } from '../execution/activity-base.js';

@Activity({
  type: 'Elsa.NotFoundActivity',
  category: 'System',
  description: 'Stands for an activity whose type is not known here.',
  isBrowsable: false,
})
export class NotFoundActivity extends ActivityBase {
  /** Set by the compiler for a type that it did not find, else from the definition. */
  private missingTypeName: string | undefined;

  /** Reads what the inputs do not say, once for each place in a definition; the engine calls it. */
  static readNode(json: Readonly<Record<string, unknown>>): Record<string, unknown> {
    return typeof json.missingTypeName === 'string' ? { missingTypeName: json.missingTypeName } : {};
  }

  execute(): never {
    throw new ActivityNotFoundError(this.missingTypeName ?? '');
  }
}
