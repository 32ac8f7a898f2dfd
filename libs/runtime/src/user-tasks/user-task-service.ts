import { Injectable, type OnModuleInit } from '@nestjs/common';
import { WorkflowClock } from '../clock/workflow-clock.js';
import { WorkflowEngine } from '../engine/workflow-engine.js';
import { WorkflowEventEmitter } from '../events/workflow-event-emitter.js';
import { UserTaskChanged, WorkflowEvent } from '../events/workflow-events.js';
import { MAX_CONFLICTS } from '../persistence/repeat-on-conflict.js';
import type { UserTaskRecord, UserTaskEvent, UserTaskEventKind } from '../persistence/user-task.js';
import {
  InvalidUserTaskRequestError,
  UserTaskChangedError,
  UserTaskClaimedError,
  UserTaskEndedError,
  UserTaskForbiddenError,
  UserTaskNotFoundError,
} from '../persistence/user-task-errors.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import {
  type CompleteUserTask,
  IUserTaskService,
  type TaskPerson,
  type UserTaskAction,
  UserTaskAuthorizer,
  type UserTaskHistory,
  type UserTaskList,
  type UserTaskQuery,
} from '../services/user-task-services.js';
import { CandidateAuthorizer } from './candidate-authorizer.js';
import { ProvidedByApplication } from './provided-by-application.js';
import { filterOf, windowOf } from './task-lists.js';
import { TaskCompletion } from './task-completion.js';
import { requirePerson } from './task-person.js';

const MAX_COMMENT = 10_000;
const MAX_NAME = 250;

/** What a person changes of an open task; undefined: nothing. */
type Change = (
  task: UserTaskRecord,
) => { readonly task: Partial<UserTaskRecord>; readonly event: Partial<UserTaskEvent> } | undefined;

@Injectable()
export class UserTaskService extends IUserTaskService implements OnModuleInit {
  private authorizer: UserTaskAuthorizer = new CandidateAuthorizer();

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly clock: WorkflowClock,
    private readonly engine: WorkflowEngine,
    private readonly events: WorkflowEventEmitter,
    private readonly completion: TaskCompletion,
    private readonly provided: ProvidedByApplication,
  ) {
    super();
  }

  /** The application's own, from whichever of its modules. */
  onModuleInit(): void {
    this.authorizer = this.provided.find(UserTaskAuthorizer) ?? this.authorizer;
  }

  async list(person: TaskPerson, query: UserTaskQuery = {}): Promise<UserTaskList> {
    requirePerson(person);
    const order = query.order ?? (query.scope === 'Completed' ? 'Newest' : 'Oldest');
    return this.persistence.userTasks.findMany(filterOf(person, query), order, windowOf(query));
  }

  async find(person: TaskPerson, taskId: string): Promise<UserTaskRecord> {
    requirePerson(person);
    const task = await this.persistence.userTasks.find(taskId);
    if (task && (await this.authorizer.mayDo(person, 'see', task))) return task;
    throw new UserTaskNotFoundError(taskId);
  }

  async history(
    person: TaskPerson,
    taskId: string,
    page: Pick<UserTaskQuery, 'limit' | 'after'> = {},
  ): Promise<UserTaskHistory> {
    await this.find(person, taskId);
    return this.persistence.userTasks.findEvents(taskId, windowOf(page));
  }

  claim(person: TaskPerson, taskId: string): Promise<UserTaskRecord> {
    return this.change(person, taskId, 'claim', 'Claimed', ({ assignee }) => {
      if (assignee === person.user) return undefined;
      if (assignee !== undefined) throw new UserTaskClaimedError(taskId, assignee);
      return { task: { assignee: person.user }, event: {} };
    });
  }

  release(person: TaskPerson, taskId: string): Promise<UserTaskRecord> {
    return this.change(person, taskId, 'release', 'Released', ({ assignee }) =>
      assignee === undefined ? undefined : { task: { assignee: undefined }, event: {} },
    );
  }

  async delegate(person: TaskPerson, taskId: string, to: string, reason?: string): Promise<UserTaskRecord> {
    const assignee = requireText('The user to whom a task is delegated', to, MAX_NAME);
    const text = reason === undefined ? undefined : requireText('The reason', reason, MAX_COMMENT);
    return this.change(person, taskId, 'delegate', 'Delegated', (task) =>
      task.assignee === assignee ? undefined : { task: { assignee }, event: { to: assignee, text } },
    );
  }

  async comment(person: TaskPerson, taskId: string, text: string): Promise<UserTaskRecord> {
    const comment = requireText('A comment', text, MAX_COMMENT);
    return this.change(person, taskId, 'comment on', 'Commented', () => ({ task: {}, event: { text: comment } }));
  }

  async complete(person: TaskPerson, taskId: string, completion: CompleteUserTask = {}): Promise<UserTaskRecord> {
    for (let attempt = 1; attempt <= MAX_CONFLICTS; attempt++) {
      const task = await this.requireOpen(person, taskId, 'complete');
      const { assignee } = task;
      if (assignee !== undefined && assignee !== person.user && !person.isManager)
        throw new UserTaskClaimedError(taskId, assignee);
      const ended = await this.completion.complete(task, person.user, completion);
      if (ended) return ended;
    }
    throw new UserTaskChangedError(taskId);
  }

  private async change(
    person: TaskPerson,
    taskId: string,
    action: UserTaskAction,
    kind: UserTaskEventKind,
    change: Change,
  ): Promise<UserTaskRecord> {
    for (let attempt = 1; attempt <= MAX_CONFLICTS; attempt++) {
      const task = await this.requireOpen(person, taskId, action);
      const made = change(task);
      if (!made) return task;
      const at = new Date(this.clock.now());
      const { workflowInstanceId } = task;
      const event = { id: this.engine.newId(), taskId, workflowInstanceId, kind, at, by: person.user, ...made.event };
      const changed = { ...task, ...made.task, updatedAt: at };
      if ((await this.persistence.userTasks.update(changed, event)) === 'changed') continue;
      const stored = { ...changed, revision: task.revision + 1 };
      await this.events.emit(
        WorkflowEvent[`UserTask${kind}`],
        new UserTaskChanged(kind, taskId, workflowInstanceId, at, person.user, stored),
      );
      return stored;
    }
    throw new UserTaskChangedError(taskId);
  }

  private async requireOpen(person: TaskPerson, taskId: string, action: UserTaskAction): Promise<UserTaskRecord> {
    const task = await this.find(person, taskId);
    if (task.unreadable) throw task.unreadable;
    if (task.status !== 'Open') throw new UserTaskEndedError(taskId, task.status, task.completedBy);
    if (await this.authorizer.mayDo(person, action, task)) return task;
    throw new UserTaskForbiddenError(taskId, person.user, action);
  }
}

/** @throws InvalidUserTaskRequestError */
function requireText(what: string, given: string, most: number): string {
  const text = typeof given === 'string' ? given.trim() : '';
  if (text !== '' && text.length <= most) return text;
  throw new InvalidUserTaskRequestError(`${what} must be a string of 1 to ${most} characters.`);
}
