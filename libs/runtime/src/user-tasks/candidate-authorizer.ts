import { Injectable } from '@nestjs/common';
import type { UserTaskRecord } from '../persistence/user-task.js';
import { type TaskPerson, type UserTaskAction, UserTaskAuthorizer } from '../services/user-task-services.js';

/**
 * Candidates may see and claim, and complete what is unclaimed; its assignee may do everything with a task. A person who manages tasks
 * may do everything with all. A task without candidates is for those to give away.
 */
@Injectable()
export class CandidateAuthorizer extends UserTaskAuthorizer {
  mayDo({ user, groups, isManager }: TaskPerson, action: UserTaskAction, task: UserTaskRecord): boolean {
    if (isManager || task.assignee === user) return true;
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
