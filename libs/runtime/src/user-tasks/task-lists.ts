import { taskList, type UserTaskFilter } from '../persistence/user-task.js';
import { InvalidUserTaskRequestError, UserTaskForbiddenError } from '../persistence/user-task-errors.js';
import type { UserTaskWindow } from '../persistence/user-task-store.js';
import type { TaskPerson, UserTaskQuery } from '../services/user-task-services.js';

const MAX_GROUPS = 200;
const MAX_PAGE = 200;
const DEFAULT_PAGE = 50;

/** What of the store a person asks for. @throws UserTaskForbiddenError, InvalidUserTaskRequestError */
export function filterOf(person: TaskPerson, query: UserTaskQuery): UserTaskFilter {
  const { scope = 'Mine', statuses, assignees, names, workflowInstanceIds, workflowDefinitionIds } = query;
  const { correlationIds, dueBefore, minPriority } = query;
  const isAll = scope === 'All';
  if (isAll && !person.isManager) throw new UserTaskForbiddenError('*', person.user, 'list all of');
  return {
    lists: listsFor(person, query),
    // Lists of open tasks have no others.
    statuses: isAll ? (statuses ?? ['Open']) : undefined,
    assignees,
    names,
    workflowInstanceIds,
    workflowDefinitionIds,
    correlationIds,
    dueBefore,
    minPriority,
  };
}

function listsFor(person: TaskPerson, { scope = 'Mine', groups }: UserTaskQuery): string[] | undefined {
  const { user } = person;
  const own = requireGroups(person.groups);
  if (groups) {
    const foreign = person.isManager ? undefined : groups.find((group) => !own.includes(group));
    if (foreign !== undefined) throw new UserTaskForbiddenError('*', user, `list those of group "${foreign}" of`);
    return requireGroups(groups).map(taskList.candidateGroup);
  }
  switch (scope) {
    case 'All':
      return undefined;
    case 'Assigned':
      return [taskList.assigned(user)];
    case 'Completed':
      return [taskList.completed(user)];
    case 'Available':
      return [taskList.candidateUser(user), ...own.map(taskList.candidateGroup)];
    case 'Mine':
      return [taskList.assigned(user), taskList.candidateUser(user), ...own.map(taskList.candidateGroup)];
  }
}

function requireGroups(groups: readonly string[]): readonly string[] {
  if (groups.length <= MAX_GROUPS) return groups;
  throw new InvalidUserTaskRequestError(
    `Tasks of at most ${MAX_GROUPS} groups can be listed at once, not of ${groups.length}. Name some of them in \`groups\`.`,
  );
}

/** @throws InvalidUserTaskRequestError */
export function windowOf({ limit = DEFAULT_PAGE, after }: Pick<UserTaskQuery, 'limit' | 'after'>): UserTaskWindow {
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_PAGE) return { limit, after };
  throw new InvalidUserTaskRequestError(`A page has from 1 to ${MAX_PAGE} entries, not ${limit}.`);
}
