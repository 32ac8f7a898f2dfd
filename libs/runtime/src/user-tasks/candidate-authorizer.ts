import { Injectable } from '@nestjs/common';
import type { UserTaskRecord } from '../persistence/user-task.js';
import { type TaskPerson, type UserTaskAction, UserTaskAuthorizer } from '../services/user-task-services.js';

/**
 * The default authorizer. Candidates may see and claim a task, and complete it while it is unclaimed; its assignee may do
 * everything with it. A person who manages tasks may do everything with all tasks; only such a person can assign a task without
 * candidates.
 */
@Injectable()
export class CandidateAuthorizer extends UserTaskAuthorizer {
  mayDo({ user, groups, isManager }: TaskPerson, action: UserTaskAction, task: UserTaskRecord): boolean {
    if (isManager === true) return true;
    // An application may call this itself: an undefined user must not equal the missing assignee of an unclaimed task.
    if (typeof user !== 'string') return false;
    if (task.assignee === user) return true;
    const { candidateUsers, candidateGroups, completedBy } = task;
    const isCandidate = candidateUsers.includes(user) || candidateGroups.some((group) => groups.includes(group));
    switch (action) {
      case 'see':
        return isCandidate || completedBy === user;
      // Of one that another has claimed the service says so by a better name.
      case 'claim':
      case 'comment on':
      case 'complete':
        return isCandidate;
      case 'release':
      case 'delegate':
        return false;
    }
  }
}
