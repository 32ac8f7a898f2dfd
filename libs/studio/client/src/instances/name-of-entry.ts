import type { ActivityJson } from '../api/definitions.js';
import type { JournalEntry } from '../api/instance-records.js';
import { nameOfActivity } from '../graph/name-of-activity.js';
import { instanceTexts } from '../texts/instances.js';

const WORKFLOW_TYPE = 'Elsa.Workflow';

/** What the activity of an entry is called: as on the picture, or, of a version that is not there any more, as the entry says. */
export function nameOfEntry(root: ActivityJson | undefined, entry: JournalEntry): string {
  const { activityName, activityId, activityType, nodeId } = entry;
  if (activityType === WORKFLOW_TYPE) return activityName || instanceTexts.journal.workflow;
  const known = nameOfActivity(root, { activityId, activityNodeId: nodeId });
  return known === activityId ? activityName || activityId : known;
}
