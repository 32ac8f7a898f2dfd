import { Activity } from '../activities/decorators.js';
import { ActivityBase } from '../execution/activity-base.js';

/** Marks where a flowchart starts. */
@Activity({
  type: 'Elsa.Start',
  category: 'Flow',
  description: 'Marks where a flowchart starts.',
  isStart: true,
})
export class Start extends ActivityBase {
  execute(): void {}
}
