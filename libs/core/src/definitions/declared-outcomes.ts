import type { ActivityDescriptor } from '../activities/activity-descriptor.js';
import { isWorkflowType, NOT_FOUND_TYPE, USER_TASK_TYPE } from './activity-types.js';

/** Name of the default outcome. */
export const DONE = 'Done';

/** Types whose outcomes follow from their values. */
const OPEN_OUTCOMES: ReadonlySet<string> = new Set([
  // Stands for an activity whose outcomes this node does not know.
  NOT_FOUND_TYPE,
  USER_TASK_TYPE,
  'Elsa.DownloadHttpFile',
  'Elsa.FlowSendHttpRequest',
  'Elsa.FlowSwitch',
  'Elsa.HttpEndpoint',
]);

/** With which outcomes activities of a type complete. @returns undefined: that is not known before it runs */
export function declaredOutcomes(descriptor: ActivityDescriptor): readonly string[] | undefined {
  const { typeName, isContainer, childLists, inputs, ports } = descriptor;
  if (isContainer || isWorkflowType(descriptor) || OPEN_OUTCOMES.has(typeName)) return undefined;
  if (childLists.length > 0 || inputs.some(({ uiHint }) => uiHint === 'dynamic-outcomes')) return undefined;
  // What holds an activity may complete with the outcomes of that one.
  if (ports.some(({ type }) => type === 'Embedded')) return undefined;
  return [...new Set([...ports.filter(({ type }) => type === 'Flow').map(({ name }) => name), DONE])];
}
