import { Activity } from '../activities/decorators.js';
import { ActivityBase } from '../execution/activity-base.js';

/** Ends the flowchart or sequence that it stands in. */
@Activity({
  type: 'Elsa.End',
  category: 'Flow',
  description: 'Ends the flowchart or sequence that it stands in.',
  isTerminal: true,
})
export class End extends ActivityBase {
  execute(): void {}
}
