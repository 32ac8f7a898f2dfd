import { Param, Req } from '@nestjs/common';
import {
  IUserTaskService,
  type UserTaskQuery,
  type UserTaskRecord,
  UserTaskScope,
  UserTaskStatus,
  UserTaskOrder,
} from '@waymark/runtime';
import { withUnreadable } from '../answers/unreadable-row.js';
import { Audited, type AuditedRequest, type AuditNote, textIn } from '../audit/audited.js';
import { ApiController, ApiGet, ApiPost } from '../module/api-controller.js';
import { FromBody, FromOptionalBody, FromQuery } from '../requests/bind.js';
import type { HttpRequest } from '../requests/http-request.js';
import { onlyGiven } from '../requests/only-given.js';
import * as read from '../requests/readers.js';
import { MANAGE, TaskPersons } from './user-task-identity.js';

const page = { limit: read.integerFrom(1), after: read.name };

const query = read.members({
  ...page,
  scope: read.oneOf(Object.values(UserTaskScope)),
  status: read.list(read.oneOf(Object.values(UserTaskStatus))),
  assignee: read.names,
  group: read.names,
  taskName: read.names,
  workflowInstanceId: read.names,
  workflowDefinitionId: read.names,
  correlationId: read.names,
  dueBefore: read.date,
  minPriority: read.columnInteger,
  order: read.oneOf(Object.values(UserTaskOrder)),
});
type Query = read.ReadBy<typeof query>;

const window = read.members(page);
const delegation = read.members({ to: read.required(read.name), reason: read.name });
const comment = read.members({ text: read.required(read.text) });
const completion = read.members({ outcome: read.name, values: read.anything });

const READ = 'read:user-tasks';
const COMPLETE = 'complete:user-tasks';

/** Tasks for people, on behalf of who makes the request. */
@ApiController('user-tasks')
export class UserTasksController {
  constructor(
    private readonly tasks: IUserTaskService,
    private readonly persons: TaskPersons,
  ) {}

  @ApiGet('', READ, MANAGE)
  async list(@FromQuery(query) given: Query, @Req() request: HttpRequest) {
    const { status, assignee, group, taskName, workflowInstanceId, workflowDefinitionId, correlationId, ...rest } =
      given;
    const asked: UserTaskQuery = {
      ...onlyGiven(rest),
      ...onlyGiven({
        statuses: status,
        assignees: assignee,
        groups: group,
        names: taskName,
        workflowInstanceIds: workflowInstanceId,
        workflowDefinitionIds: workflowDefinitionId,
        correlationIds: correlationId,
      }),
    };
    const { items, next } = await this.tasks.list(await this.persons.of(request), asked);
    return { items: items.map(withUnreadable), next };
  }

  @ApiGet(':id', READ, MANAGE)
  async one(@Param('id') id: string, @Req() request: HttpRequest) {
    return withUnreadable(await this.tasks.find(await this.persons.of(request), id));
  }

  @ApiGet(':id/history', READ, MANAGE)
  async history(
    @Param('id') id: string,
    @FromQuery(window) given: read.ReadBy<typeof window>,
    @Req() request: HttpRequest,
  ) {
    return this.tasks.history(await this.persons.of(request), id, onlyGiven(given));
  }

  @Audited('user-tasks.claim', { target: 'user-task', param: 'id' })
  @ApiPost(':id/claim', COMPLETE, MANAGE)
  async claim(@Param('id') id: string, @Req() request: HttpRequest): Promise<UserTaskRecord> {
    return this.tasks.claim(await this.persons.of(request), id);
  }

  @Audited('user-tasks.release', { target: 'user-task', param: 'id' })
  @ApiPost(':id/release', COMPLETE, MANAGE)
  async release(@Param('id') id: string, @Req() request: HttpRequest): Promise<UserTaskRecord> {
    return this.tasks.release(await this.persons.of(request), id);
  }

  @Audited('user-tasks.delegate', { target: 'user-task', param: 'id', note: delegatedTo })
  @ApiPost(':id/delegate', COMPLETE, MANAGE)
  async delegate(
    @Param('id') id: string,
    @FromBody(delegation) { to, reason }: read.ReadBy<typeof delegation>,
    @Req() request: HttpRequest,
  ): Promise<UserTaskRecord> {
    return this.tasks.delegate(await this.persons.of(request), id, to, reason);
  }

  @Audited('user-tasks.comment', { target: 'user-task', param: 'id' })
  @ApiPost(':id/comments', COMPLETE, MANAGE)
  async comment(
    @Param('id') id: string,
    @FromBody(comment) { text }: read.ReadBy<typeof comment>,
    @Req() request: HttpRequest,
  ): Promise<UserTaskRecord> {
    return this.tasks.comment(await this.persons.of(request), id, text);
  }

  @Audited('user-tasks.complete', { target: 'user-task', param: 'id', note: outcomeGiven })
  @ApiPost(':id/complete', COMPLETE, MANAGE)
  async complete(
    @Param('id') id: string,
    @FromOptionalBody(completion) given: read.ReadBy<typeof completion>,
    @Req() request: HttpRequest,
  ): Promise<UserTaskRecord> {
    return this.tasks.complete(await this.persons.of(request), id, onlyGiven(given));
  }
}

function delegatedTo({ body }: AuditedRequest): AuditNote {
  return { details: { to: textIn(body, 'to') } };
}

/** Not what was filled in. */
function outcomeGiven({ answer }: AuditedRequest): AuditNote {
  return { details: { outcome: textIn(answer, 'outcome') } };
}
