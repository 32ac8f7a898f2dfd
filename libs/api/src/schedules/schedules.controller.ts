import { Inject, Optional, Param } from '@nestjs/common';
import {
  IWorkflowSchedules,
  type PagedResult,
  ScheduleKind,
  ScheduleOrigin,
  SchedulingMissingError,
  type WaitingTimer,
  WorkflowPersistence,
  type WorkflowSchedule,
} from '@waymark/runtime';
import { HidesSecrets } from '../answers/hides-secrets.js';
import { pageAnswer, windowOf } from '../answers/lists.js';
import { Audited, type AuditedRequest, type AuditNote, textIn } from '../audit/audited.js';
import { ApiController, ApiGet, ApiPost } from '../module/api-controller.js';
import { FromOptionalBody, FromQuery } from '../requests/bind.js';
import * as read from '../requests/readers.js';

const { Timer, Cron, StartAt } = ScheduleKind;

const listRequest = read.members({
  definitionId: read.names,
  kind: read.list(read.oneOf([Timer, Cron, StartAt])),
  isPaused: read.flag,
  origin: read.oneOf([ScheduleOrigin.Trigger, ScheduleOrigin.Application]),
  times: read.integerFrom(0),
  page: read.integerFrom(0),
  pageSize: read.integerFrom(1),
  skip: read.integerFrom(0),
  take: read.integerFrom(1),
});
type ListRequest = read.ReadBy<typeof listRequest>;

const waitingRequest = read.members({
  workflowInstanceId: read.name,
  stimulus: read.names,
  dueBefore: read.date,
  limit: read.integerFrom(1),
  after: read.name,
});
type WaitingRequest = read.ReadBy<typeof waitingRequest>;

const oneRequest = read.members({ times: read.integerFrom(0) });
const fireRequest = read.members({ requestKey: read.name });

const READ = 'read:schedules';
const MANAGE = 'manage:schedules';
const DEFAULT_SCHEDULES = 50;

/** Schedules of workflows, and the instances that wait for one. The reference has no list of them. */
@ApiController('schedules')
@HidesSecrets()
export class SchedulesController {
  constructor(
    private readonly persistence: WorkflowPersistence,
    @Optional() @Inject(IWorkflowSchedules) private readonly scheduling: IWorkflowSchedules | undefined,
  ) {}

  @ApiGet('', READ)
  async list(@FromQuery(listRequest) request: ListRequest) {
    const { definitionId: workflowDefinitionIds, kind: kinds, isPaused: paused, origin, times, ...window } = request;
    const { skip, take } = windowOf(window, DEFAULT_SCHEDULES);
    const { items, totalCount, isTotalLowerBound }: PagedResult<WorkflowSchedule> = await this.schedules().list({
      workflowDefinitionIds,
      kinds,
      paused,
      origin,
      times,
      skip,
      take,
    });
    return pageAnswer(await this.shown(items), totalCount, isTotalLowerBound);
  }

  @ApiGet('waiting', READ)
  async waiting(@FromQuery(waitingRequest) { stimulus: stimuli, ...query }: WaitingRequest) {
    const { items, next } = await this.schedules().waiting({ ...query, stimuli });
    const definitionOf = await this.definitionsOf(items);
    const shown = items.map((item) => ({ ...item, ...definitionOf.get(item.workflowInstanceId) }));
    return { items: shown, ...(next !== undefined && { next }) };
  }

  @ApiGet(':id', READ)
  async one(@Param('id') id: string, @FromQuery(oneRequest) { times }: read.ReadBy<typeof oneRequest>) {
    return this.shownOne(await this.schedules().find(id, times));
  }

  @Audited('schedules.fire', { target: 'schedule', param: 'id', note: startedInstance })
  @ApiPost(':id/fire', MANAGE)
  fire(@Param('id') id: string, @FromOptionalBody(fireRequest) { requestKey }: read.ReadBy<typeof fireRequest>) {
    return this.schedules().fire(id, requestKey);
  }

  @Audited('schedules.pause', { target: 'schedule', param: 'id' })
  @ApiPost(':id/pause', MANAGE)
  async pause(@Param('id') id: string) {
    return this.shownOne(await this.schedules().pause(id));
  }

  @Audited('schedules.resume', { target: 'schedule', param: 'id' })
  @ApiPost(':id/resume', MANAGE)
  async resume(@Param('id') id: string) {
    return this.shownOne(await this.schedules().resume(id));
  }

  /** @throws SchedulingMissingError */
  private schedules(): IWorkflowSchedules {
    if (!this.scheduling) throw new SchedulingMissingError();
    return this.scheduling;
  }

  private async shownOne(schedule: WorkflowSchedule): Promise<object> {
    return (await this.shown([schedule]))[0]!;
  }

  /** Which workflows the instances of a page are of: two reads, however many wait. */
  private async definitionsOf(items: readonly WaitingTimer[]): Promise<ReadonlyMap<string, object>> {
    if (items.length === 0) return new Map();
    const instanceIds = [...new Set(items.map(({ workflowInstanceId }) => workflowInstanceId))];
    const instances = await this.persistence.instances.findMany({ ids: instanceIds });
    const ids = [...new Set(instances.items.map(({ definitionVersionId }) => definitionVersionId))];
    const versions = ids.length === 0 ? [] : await this.persistence.definitions.findVersions({ ids });
    const nameOf = new Map(versions.map(({ id, name }) => [id, name]));
    return new Map(
      instances.items.map(({ id, definitionId, definitionVersionId, version }) => {
        const definitionName = nameOf.get(definitionVersionId);
        return [id, { definitionId, definitionVersionId, version, ...(definitionName && { definitionName }) }];
      }),
    );
  }

  /** Under the names that the API has for definitions. */
  private async shown(schedules: readonly WorkflowSchedule[]): Promise<object[]> {
    if (schedules.length === 0) return [];
    const ids = [...new Set(schedules.flatMap((schedule) => schedule.workflowDefinitionVersionId ?? []))];
    const versions = ids.length === 0 ? [] : await this.persistence.definitions.findVersions({ ids });
    const versionOf = new Map(versions.map(({ id, version }) => [id, version]));
    return schedules.map((schedule) => {
      const { id, kind, workflowDefinitionId: definitionId, workflowDefinitionVersionId, pausedAt, ...rest } = schedule;
      const version =
        workflowDefinitionVersionId === undefined ? undefined : versionOf.get(workflowDefinitionVersionId);
      const definition = { definitionId, definitionVersionId: workflowDefinitionVersionId, version };
      return { id, kind, ...definition, isPaused: pausedAt !== undefined, pausedAt, ...rest };
    });
  }
}

function startedInstance({ answer }: AuditedRequest): AuditNote {
  return { details: { workflowInstanceId: textIn(answer, 'workflowInstanceId') } };
}
