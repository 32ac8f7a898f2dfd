import { Activity } from '../activities/decorators.js';
import { ActivityBase } from '../execution/activity-base.js';

/** Marks the start of a flowchart. */
@Activity({
  type: 'Elsa.Start',
  category: 'Flow',
  description: 'Marks the start of a flowchart.',
  isStart: true,
})
export class Start extends ActivityBase {
  execute(): void {}
}
