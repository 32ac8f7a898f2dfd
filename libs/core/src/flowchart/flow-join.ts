import { Activity, Input } from '../activities/decorators.js';
import { ActivityBase } from '../execution/activity-base.js';
import type { JoinMode } from './join-mode.js';

/**
 * Joins branches of a flowchart: runs when the branches that its mode requires have arrived. (The flowchart waits before it runs
 * this activity.)
 */
@Activity({
  type: 'Elsa.FlowJoin',
  category: 'Branching',
  displayName: 'Join',
  description: 'Joins several paths of a flowchart.',
})
export class FlowJoin extends ActivityBase {
  /**
   * Which branches it waits for: the first (`WaitAny`), all (`WaitAll`), or all that can still come (`WaitAllActive`).
   * @default `WaitAny`
   */
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
