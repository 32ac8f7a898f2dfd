import { Activity } from '../activities/decorators.js';
import { ActivityBase } from '../execution/activity-base.js';

/** Ends the flowchart or sequence that contains it. */
@Activity({
  type: 'Elsa.End',
  category: 'Flow',
  description: 'Ends the flowchart or sequence that contains it.',
  isTerminal: true,
})
export class End extends ActivityBase {
  execute(): void {}
}
