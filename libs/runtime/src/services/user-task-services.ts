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
 * Says who may do what. The stock one, `CandidateAuthorizer`, goes by candidates and assignee; a provider of any module replaces it:
 * `{ provide: UserTaskAuthorizer, useClass: FourEyes }`. It is asked for each task that is opened or changed, not for each line of a list: lists are of the person and
 * its groups, or of all tasks for those who manage them.
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
  /** Whether the person may do that to the task. */
  abstract mayDo(person: TaskPerson, action: UserTaskAction, task: UserTaskRecord): boolean | Promise<boolean>;
}

/** Which tasks are listed. */
export interface UserTaskQuery {
  /**
   * `Mine`: claimed by the person, and those that the person may claim · `Assigned`, `Available`: the one or the other ·
   * `Completed`: by the person · `All`: every task, for those who manage them. @default 'Mine'
   */
  readonly scope?: UserTaskScope;
  /** Of `All` only. @default `['Open']` */
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
  /** Only those that are due before that. @default all */
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

/** Whose tasks are listed. */
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
  /** Where the next page begins. Undefined: this was the last one. */
  readonly next: string | undefined;
}

/** A page of what happened to a task. */
export interface UserTaskHistory {
  /** The earliest first. */
  readonly events: readonly UserTaskEvent[];
  /** Where the next page begins; undefined: there is none. */
  readonly next: string | undefined;
}

/** What a task is completed with. */
export interface CompleteUserTask {
  /** Outcome that the task is completed with. @default the only one there is */
  readonly outcome?: string;
  /** What was filled in, as the form of the task says. */
  readonly values?: unknown;
}

/**
 * Tasks for people: lists, and what people do with a task. Every method is asked on behalf of a person, and throws
 * `UserTaskNotFoundError` for a task that the person may not see, `UserTaskForbiddenError` for what the person may not do, and
 * `UserTaskEndedError` once the task is completed or cancelled.
 * @example
 * const mia = { user: 'mia', groups: ['accounting'] };
 * const { items } = await tasks.list(mia, { names: ['check-expense'] });
 * await tasks.complete(mia, items[0].id, { outcome: 'Approve', values: { costCentre: 4711 } });
 */
export abstract class IUserTaskService {
  /** Tasks of a person, or all of them. @throws InvalidUserTaskRequestError (`WM2078`), UserTaskForbiddenError (`WM2071`) */
  abstract list(person: TaskPerson, query?: UserTaskQuery): Promise<UserTaskList>;
  /** A task that the person may see. @throws UserTaskNotFoundError (`WM2070`) */
  abstract find(person: TaskPerson, taskId: string): Promise<UserTaskRecord>;
  /** What happened to a task, oldest first. @param page @default the first 50 entries */
  abstract history(
    person: TaskPerson,
    taskId: string,
    page?: Pick<UserTaskQuery, 'limit' | 'after'>,
  ): Promise<UserTaskHistory>;
  /** Takes an unclaimed task. Claiming one's own again changes nothing. @throws UserTaskClaimedError (`WM2073`) */
  abstract claim(person: TaskPerson, taskId: string): Promise<UserTaskRecord>;
  /** Releases a task to its candidates. */
  abstract release(person: TaskPerson, taskId: string): Promise<UserTaskRecord>;
  /** Delegates a task to another user, a candidate or not. @param reason stands in the history */
  abstract delegate(person: TaskPerson, taskId: string, to: string, reason?: string): Promise<UserTaskRecord>;
  /** Leaves a comment in the history of a task. @param text up to 10,000 characters */
  abstract comment(person: TaskPerson, taskId: string, text: string): Promise<UserTaskRecord>;
  /**
   * Ends the task and lets the workflow go on by that outcome; resolves once both are stored. Of several at the same moment
   * one wins. What is wrong with the form changes nothing.
   * @throws UserTaskClaimedError (`WM2073`), UserTaskFormError (`WM2074`), UserTaskOutcomeError (`WM2075`),
   *   UserTaskChangedError (`WM2076`)
   */
  abstract complete(person: TaskPerson, taskId: string, completion?: CompleteUserTask): Promise<UserTaskRecord>;
}
