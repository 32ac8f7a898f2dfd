import { Activity, Input } from '../activities/decorators.js';
import { FaultError } from '../errors/execution-errors.js';
import { ActivityBase } from '../execution/activity-base.js';

/** Raises a business fault. */
@Activity({
  type: 'Elsa.Fault',
  category: 'Primitives',
  description: 'Raises a business fault.',
})
export class Fault extends ActivityBase {
  /** Code of the fault. */
  @Input({ type: 'String', description: 'Code of the fault.' }) code: string | null;
  /** Category of the fault. */
  @Input({ type: 'String', description: 'Category of the fault.' }) category: string | null;
  /** Type of the fault, such as `System` or `Business`. */
  @Input({ type: 'String', displayName: 'Type', description: 'Type of the fault, such as System or Business.' })
  faultType: string | null;
  /** What went wrong. */
  @Input({ type: 'String', description: 'What went wrong.' }) message: string | null;

  execute(): never {
    throw new FaultError(
      { code: this.code ?? '0', category: this.category ?? 'General', type: this.faultType ?? 'System' },
      this.message ?? 'The workflow raised a fault.',
    );
  }
}
