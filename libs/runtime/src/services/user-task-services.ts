import type { UserTaskRecord, UserTaskEvent, UserTaskOrder, UserTaskStatus } from '../persistence/user-task.js';

/**
 * A person who works on tasks. `IUserTaskService` refuses a person whose members are of other types, or whose `user` is blank, with
 * `InvalidUserTaskRequestError` (`WM2078`): a login without an id must not be a candidate of anything.
 */
export interface TaskPerson {
  /** Id or name of the user in the application, not blank; stored in tasks and in their history. */
  readonly user: string;
  /** Groups of the person, at most 200; `[]` for none. */
  readonly groups: readonly string[];
  /** If true, may see and do everything, including tasks of others. @default false */
  readonly isManager?: boolean;
}

/** What a person wants to do with a task. */
export type UserTaskAction = 'see' | 'claim' | 'release' | 'delegate' | 'complete' | 'comment on';

/**
 * Decides who may do what with tasks. The default, `CandidateAuthorizer`, uses candidates and assignee; a provider of any
 * module replaces it: `{ provide: UserTaskAuthorizer, useClass: FourEyes }`. It is asked for each task that is opened or
 * changed, not for each line of a list: lists are of the person and its groups, or of all tasks for those who manage them.
 * @example
 * class FourEyes extends UserTaskAuthorizer {
 *   private readonly stock = new CandidateAuthorizer();
 *
 *   mayDo(person: TaskPerson, action: UserTaskAction, task: UserTaskRecord) {
 *     const isOwn = (task.data as { employee?: string }).employee === person.user;
 *     return !(isOwn && action === 'complete') && this.stock.mayDo(person, action, task);
 *   }
 * }
 */
export abstract class UserTaskAuthorizer {
  /** Returns true if the person may perform the action on the task. */
  abstract mayDo(person: TaskPerson, action: UserTaskAction, task: UserTaskRecord): boolean | Promise<boolean>;
}

/** Selects the tasks to list. */
export interface UserTaskQuery {
  /**
   * `Mine`: claimed by the person, and those that the person may claim · `Assigned`, `Available`: the one or the other ·
   * `Completed`: by the person · `All`: every task, for persons who manage tasks. @default 'Mine'
   */
  readonly scope?: UserTaskScope;
  /** Only those with one of these statuses; for the scope `All`. @default `['Open']` */
  readonly statuses?: readonly UserTaskStatus[];
  /** Only those of these people. @default all */
  readonly assignees?: readonly string[];
  /** One of these groups is a candidate of an open, unclaimed task. For members of the group and those who manage tasks. */
  readonly groups?: readonly string[];
  /** Only those of these names. @default all */
  readonly names?: readonly string[];
  /** Only those of these instances. @default all */
  readonly workflowInstanceIds?: readonly string[];
  /** Only those of these definitions. @default all */
  readonly workflowDefinitionIds?: readonly string[];
  /** Only those with these correlation ids. @default all */
  readonly correlationIds?: readonly string[];
  /** Only those that are due before that time. @default all */
  readonly dueBefore?: Date;
  /** Only those of that priority or more. @default all */
  readonly minPriority?: number;
  /** Order of the list. @default 'Oldest'; of `Completed` 'Newest' */
  readonly order?: UserTaskOrder;
  /** From 1 to 200. @default 50 */
  readonly limit?: number;
  /** `next` of the page before. @default from the first one */
  readonly after?: string;
}

/** Scope of a list of tasks. */
export const UserTaskScope = {
  Mine: 'Mine',
  Assigned: 'Assigned',
  Available: 'Available',
  Completed: 'Completed',
  All: 'All',
} as const;
export type UserTaskScope = (typeof UserTaskScope)[keyof typeof UserTaskScope];

/** A page of tasks. */
export interface UserTaskList {
  /** The tasks of the page. */
  readonly items: readonly UserTaskRecord[];
  /** Where the next page begins; undefined if this was the last one. */
  readonly next: string | undefined;
}

/** A page of what happened to a task. */
export interface UserTaskHistory {
  /** The earliest first. */
  readonly events: readonly UserTaskEvent[];
  /** Where the next page begins; undefined if there is none. */
  readonly next: string | undefined;
}

/** How a task is completed. */
export interface CompleteUserTask {
  /** Outcome that the task is completed with. @default the only one there is */
  readonly outcome?: string;
  /** The values of the form of the task. */
  readonly values?: unknown;
}

/**
 * Tasks for people: lists, and what people do with a task. Every method is asked on behalf of a person, and throws
 * `UserTaskNotFoundError` (`WM2070`) for a task that the person may not see, `UserTaskForbiddenError` (`WM2071`) for what the person
 * may not do, `UserTaskEndedError` (`WM2072`) once the task is completed or cancelled, and `InvalidUserTaskRequestError`
 * (`WM2078`) for an invalid person.
 * @example
 * const mia = { user: 'mia', groups: ['accounting'] };
 * const { items } = await tasks.list(mia, { names: ['check-expense'] });
 * await tasks.complete(mia, items[0].id, { outcome: 'Approve', values: { costCentre: 4711 } });
 */
export abstract class IUserTaskService {
  /**
   * Lists tasks of a person, or all tasks.
   * @throws InvalidUserTaskRequestError (`WM2078`), UserTaskForbiddenError (`WM2071`)
   */
  abstract list(person: TaskPerson, query?: UserTaskQuery): Promise<UserTaskList>;
  /** Finds a task that the person may see. @throws UserTaskNotFoundError (`WM2070`) */
  abstract find(person: TaskPerson, taskId: string): Promise<UserTaskRecord>;
  /** Returns the history of a task, beginning with the oldest event. @param page @default the first 50 entries */
  abstract history(
    person: TaskPerson,
    taskId: string,
    page?: Pick<UserTaskQuery, 'limit' | 'after'>,
  ): Promise<UserTaskHistory>;
  /** Takes an unclaimed task. Claiming one's own again changes nothing. @throws UserTaskClaimedError (`WM2073`) */
  abstract claim(person: TaskPerson, taskId: string): Promise<UserTaskRecord>;
  /** Releases a task to its candidates. */
  abstract release(person: TaskPerson, taskId: string): Promise<UserTaskRecord>;
  /** Delegates a task to another user, a candidate or not. @param reason recorded in the history */
  abstract delegate(person: TaskPerson, taskId: string, to: string, reason?: string): Promise<UserTaskRecord>;
  /** Leaves a comment in the history of a task. @param text up to 10,000 characters */
  abstract comment(person: TaskPerson, taskId: string, text: string): Promise<UserTaskRecord>;
  /**
   * Completes the task, and the workflow continues with that outcome. Resolves when both are stored. If several persons
   * complete it at the same time, one of them wins. Invalid form values change nothing.
   * @throws UserTaskClaimedError (`WM2073`), UserTaskFormError (`WM2074`), UserTaskOutcomeError (`WM2075`),
   *   UserTaskChangedError (`WM2076`)
   */
  abstract complete(person: TaskPerson, taskId: string, completion?: CompleteUserTask): Promise<UserTaskRecord>;
}
