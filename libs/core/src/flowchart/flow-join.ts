import { Activity, Input } from '../activities/decorators.js';
import { ActivityBase } from '../execution/activity-base.js';
import type { JoinMode } from './join-mode.js';

/** The waiting is done by the flowchart, before this activity runs. */
@Activity({
  type: 'Elsa.FlowJoin',
  category: 'Branching',
  displayName: 'Join',
  description: 'Joins several paths of a flowchart.',
})
export class FlowJoin extends ActivityBase {
  /** Whether it goes on with the first branch (`WaitAny`) or the last one (`WaitAll`). @default `WaitAny` */
  @Input({
    type: 'FlowJoinMode',
    description: 'Which of the incoming paths it waits for.',
    uiHint: 'dropdown',
    defaultValue: 'WaitAny',
    uiSpecifications: {
      dropdown: {
        selectList: {
          items: [
            { text: 'WaitAll', value: 'WaitAll' },
            { text: 'WaitAllActive', value: 'WaitAllActive' },
            { text: 'WaitAny', value: 'WaitAny' },
          ],
        },
      },
    },
  })
  mode: JoinMode | null;

  execute(): void {}
}
