import type { UserTaskRecord, UserTaskEvent, UserTaskOrder, UserTaskStatus } from '../persistence/user-task.js';

/** A person who works on tasks. */
export interface TaskPerson {
  /** As the application knows the user; stands in tasks and in their history. */
  readonly user: string;
  /** 200 at most. */
  readonly groups: readonly string[];
  /** True: may see and do everything, also what is given to others. @default false */
  readonly isManager?: boolean;
}

/** What a person wants to do with a task. */
export type UserTaskAction = 'see' | 'claim' | 'release' | 'delegate' | 'complete' | 'comment on';

/**
 * Says who may do what. The stock one goes by candidates and assignee; give another one with the option `userTasks.authorizer` of
 * `WorkflowModule`. It is asked for each task that is opened or changed, not for each line of a list: lists are of the person and
 * its groups, or of all tasks for those who manage them.
 */
export abstract class UserTaskAuthorizer {
  abstract mayDo(person: TaskPerson, action: UserTaskAction, task: UserTaskRecord): boolean | Promise<boolean>;
}

export interface UserTaskQuery {
  /**
   * `Mine`: claimed by the person, and those that the person may claim · `Assigned`, `Available`: the one or the other ·
   * `Completed`: by the person · `All`: every task, for those who manage them. @default 'Mine'
   */
  readonly scope?: UserTaskScope;
  /** Of `All` only. @default `['Open']` */
  readonly statuses?: readonly UserTaskStatus[];
  readonly assignees?: readonly string[];
  /** One of these groups is a candidate of an open, unclaimed task. For members of the group and those who manage tasks. */
  readonly groups?: readonly string[];
  readonly names?: readonly string[];
  readonly workflowInstanceIds?: readonly string[];
  readonly workflowDefinitionIds?: readonly string[];
  readonly correlationIds?: readonly string[];
  readonly dueBefore?: Date;
  readonly minPriority?: number;
  /** @default 'Oldest'; of `Completed` 'Newest' */
  readonly order?: UserTaskOrder;
  /** From 1 to 200. @default 50 */
  readonly limit?: number;
  /** `next` of the page before. @default from the first one */
  readonly after?: string;
}

export const UserTaskScope = {
  Mine: 'Mine',
  Assigned: 'Assigned',
  Available: 'Available',
  Completed: 'Completed',
  All: 'All',
} as const;
export type UserTaskScope = (typeof UserTaskScope)[keyof typeof UserTaskScope];

export interface UserTaskList {
  readonly items: readonly UserTaskRecord[];
  /** Where the next page begins. Undefined: this was the last one. */
  readonly next: string | undefined;
}

export interface UserTaskHistory {
  /** The earliest first. */
  readonly events: readonly UserTaskEvent[];
  readonly next: string | undefined;
}

export interface CompleteUserTask {
  /** @default the only one there is */
  readonly outcome?: string;
  /** What was filled in, as the form of the task says. */
  readonly values?: unknown;
}

/**
 * Tasks for people: lists, and what people do with a task. Every method is asked on behalf of a person, and throws
 * `UserTaskNotFoundError` for a task that the person may not see, `UserTaskForbiddenError` for what the person may not do, and
 * `UserTaskEndedError` once the task is completed or cancelled.
 */
export abstract class IUserTaskService {
  /** @throws InvalidUserTaskRequestError, UserTaskForbiddenError */
  abstract list(person: TaskPerson, query?: UserTaskQuery): Promise<UserTaskList>;
  abstract find(person: TaskPerson, taskId: string): Promise<UserTaskRecord>;
  /** @param page @default the first 50 entries */
  abstract history(
    person: TaskPerson,
    taskId: string,
    page?: Pick<UserTaskQuery, 'limit' | 'after'>,
  ): Promise<UserTaskHistory>;
  /** Takes an unclaimed task. Claiming one's own again changes nothing. @throws UserTaskClaimedError */
  abstract claim(person: TaskPerson, taskId: string): Promise<UserTaskRecord>;
  /** Gives a task back to its candidates. */
  abstract release(person: TaskPerson, taskId: string): Promise<UserTaskRecord>;
  /** Gives a task to another user, a candidate or not. @param reason stands in the history */
  abstract delegate(person: TaskPerson, taskId: string, to: string, reason?: string): Promise<UserTaskRecord>;
  /** @param text up to 10,000 characters */
  abstract comment(person: TaskPerson, taskId: string, text: string): Promise<UserTaskRecord>;
  /**
   * Ends the task and lets the workflow go on by that outcome; resolves once both are stored. Of several at the same moment
   * one wins. What is wrong with the form changes nothing.
   * @throws UserTaskClaimedError, UserTaskFormError, UserTaskOutcomeError, UserTaskChangedError
   */
  abstract complete(person: TaskPerson, taskId: string, completion?: CompleteUserTask): Promise<UserTaskRecord>;
}
