import { WaymarkError } from '../errors/waymark-error.js';

/** What there is too much of. */
type TooMany = 'activities' | 'activities with those of used workflows' | 'characters of node ids';

const WHAT: Readonly<Record<TooMany, readonly [what: string, hint: string]>> = {
  activities: ['activities, states, transitions and cases', 'Split it into workflows that call each other'],
  'activities with those of used workflows': [
    'activities, with those of each workflow that it uses as an activity',
    'Start some of them with ExecuteWorkflow or DispatchWorkflow',
  ],
  'characters of node ids': [
    'characters in its node ids, each of which holds the ids of all activities around it',
    'Nest fewer activities, or give them shorter ids',
  ],
};

/**
 * Thrown for a definition with more activities, states, transitions and cases than the option allows, also by the workflows that it uses, or
 * with node ids that are too long. Each of them costs time and memory in every request for the definition.
 */
export class DefinitionTooLargeError extends WaymarkError {
  readonly code = 'WM1024';
  constructor(
    /** The limit. */
    readonly maxActivities: number,
    /** @internal */
    readonly of: TooMany = 'activities',
  ) {
    const [what, hint] = WHAT[of];
    const option = of === 'characters of node ids' ? '' : ", or raise the option 'maxActivities' of WorkflowModule";
    super(`The workflow definition has more than ${maxActivities} ${what}. ${hint}${option}.`);
  }
}
