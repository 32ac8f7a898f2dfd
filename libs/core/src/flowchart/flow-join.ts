import { Activity, Input } from '../activities/decorators.js';
import { ActivityBase } from '../execution/activity-base.js';
import type { JoinMode } from './join-mode.js';

/**
 * Joins branches of a flowchart: continues with the first or the last of them. (The flowchart waits before it runs this
 * activity.)
 */
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
