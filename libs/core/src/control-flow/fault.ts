import { Activity, Input } from '../activities/decorators.js';
import { FaultError } from '../errors/execution-errors.js';
import { ActivityBase } from '../execution/activity-base.js';

@Activity({
  type: 'Elsa.Fault',
  category: 'Primitives',
  description: 'Raises a fault of the business domain.',
})
export class Fault extends ActivityBase {
  @Input({ type: 'String' }) code: string | null;
  @Input({ type: 'String' }) category: string | null;
  @Input({ type: 'String', displayName: 'Type' }) faultType: string | null;
  @Input({ type: 'String' }) message: string | null;

  execute(): never {
    throw new FaultError(
      { code: this.code ?? '0', category: this.category ?? 'General', type: this.faultType ?? 'System' },
      this.message ?? 'The workflow raised a fault.',
    );
  }
}
