import { Param, Req, Res } from '@nestjs/common';
import { isWaymarkError, type MigrationReport } from '@waymark/core';
import { MAX_ID_LENGTH } from '@waymark/core/adapter';
import {
  IInstanceMigrator,
  AlterationPlans,
  type Alteration,
  type AlterationFilter,
  type AlterationPlan,
} from '@waymark/runtime';
import { afterCommit, AlterationTargets } from '@waymark/runtime/adapter';
import { ConflictError, ResourceNotFoundError } from '../answers/api-errors.js';
import { HidesSecrets, ShownValues } from '../answers/hides-secrets.js';
import { listStream } from '../answers/stream-answer.js';
import { withUnreadable } from '../answers/unreadable-row.js';
import { Audited, type AuditedRequest, type AuditNote, NotAudited, textIn, textsIn } from '../audit/audited.js';
import { distinctIds } from '../bulk/bulk-answers.js';
import { ApiController, ApiGet, ApiPost } from '../module/api-controller.js';
import { requesterOf } from '../bulk/requested-by.js';
import { principalOf } from '../identity/api-auth.guard.js';
import { FromBody, FromOptionalBody } from '../requests/bind.js';
import type { HttpReply, HttpRequest } from '../requests/http-request.js';
import { memberOf, withoutNulls } from '../requests/json-values.js';
import { shaped, shapeOf } from '../requests/reader-schemas.js';
import * as read from '../requests/readers.js';
import { readAlterations } from './alteration.js';
import { readAlterationFilter } from './alteration-filter.js';
import { type AlterationAnswer, AlterationRequests } from './alteration-requests.js';
import { type MigrationDryRun, migrationDryRun } from './migration.js';

const runRequest = read.members({
  alterations: readAlterations,
  workflowInstanceIds: read.withDefault(read.list(read.name), []),
});
type RunRequest = read.ReadBy<typeof runRequest>;

const submission = read.members({
  id: read.nameUpTo(MAX_ID_LENGTH, read.typed),
  alterations: readAlterations,
  filter: readAlterationFilter,
});

/** The alterations are read twice: once to understand them, once to show them as they were given. */
const submitRequest: read.Reader<{
  id?: string | undefined;
  json: Record<string, unknown>[];
  alterations: Alteration[];
  filter: AlterationFilter;
}> = shaped(shapeOf(submission), (value: unknown, path: string) => {
  const { id, alterations, filter } = submission(value, path);
  const json = read.members({ alterations: read.withDefault(read.list(read.dictionary), []) })(value, path).alterations;
  return { id, alterations, filter, json };
});
type SubmitRequest = read.ReadBy<typeof submitRequest>;

const retryRequest = read.members({
  workflowInstanceIds: read.withDefault(read.list(read.name), []),
  activityIds: read.list(read.name),
});
type RetryRequest = read.ReadBy<typeof retryRequest>;

const RUN = 'run:alterations';

/** Repairs instances. */
@ApiController('alterations')
@HidesSecrets()
export class AlterationsController {
  constructor(
    private readonly requests: AlterationRequests,
    private readonly targets: AlterationTargets,
    private readonly migrator: IInstanceMigrator,
    private readonly plans: AlterationPlans,
    private readonly shown: ShownValues,
  ) {}

  @NotAudited('nothing is altered')
  @ApiPost('dry-run', RUN)
  dryRun(@FromBody(readAlterationFilter) filter: AlterationFilter) {
    return listStream('workflowInstanceIds', this.targets.find(filter));
  }

  /** What a migration would do to each of the instances, and why some cannot move. */
  @NotAudited('nothing is migrated')
  @ApiPost('migrations/dry-run', RUN)
  dryRunOfMigration(@FromBody(migrationDryRun) request: MigrationDryRun) {
    return listStream('reports', this.reports(request));
  }

  private async *reports({ filter, ...request }: MigrationDryRun): AsyncGenerator<readonly MigrationReport[], void> {
    for await (const ids of this.targets.find(filter))
      for (const id of ids)
        try {
          yield [await this.migrator.dryRun(id, request)];
        } catch (error) {
          // Deleted since it was found.
          if (!isWaymarkError(error, 'WM3001')) throw error;
        }
  }

  @Audited('alterations.submit', { target: 'alteration-plan', note: planSubmitted })
  @ApiPost('submit', RUN)
  async submit(@FromBody(submitRequest) { id, json, alterations, filter }: SubmitRequest, @Req() request: HttpRequest) {
    const by = principalOf(request)?.name;
    const planId = await this.plans.submit({ id, alterations, submitted: json, filter, by });
    if (planId === undefined) throw new ConflictError(`Alteration plan "${id}" already exists. Choose another id.`);
    return { planId };
  }

  @Audited('alterations.run', { target: 'instance', note: alterationsRun })
  @ApiPost('run', RUN)
  run(
    @FromBody(runRequest) { alterations, workflowInstanceIds }: RunRequest,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) reply: HttpReply,
  ): Promise<AlterationAnswer> {
    const ids = distinctIds(workflowInstanceIds, 'workflowInstanceIds') ?? [];
    return this.requests.run(ids, alterations, principalOf(request)?.name, reply);
  }

  @Audited('alterations.retry', { target: 'instance', note: alterationsRun })
  @ApiGet('workflows/retry', RUN)
  getRetry(
    @FromOptionalBody(retryRequest) body: RetryRequest,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) reply: HttpReply,
  ) {
    return this.retry(body, request, reply);
  }

  @Audited('alterations.retry', { target: 'instance', note: alterationsRun })
  @ApiPost('workflows/retry', RUN)
  postRetry(
    @FromOptionalBody(retryRequest) body: RetryRequest,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) reply: HttpReply,
  ) {
    return this.retry(body, request, reply);
  }

  @ApiGet(':id', 'read:alterations')
  async one(@Param('id') id: string) {
    const { submitted, workflowInstanceFilter, ...plan } = withUnreadable(await this.require(id));
    const alterations = submitted.map((alteration) => this.shownAlteration(alteration));
    const shown = { ...withoutNulls(plan), alterations, workflowInstanceFilter: withoutNulls(workflowInstanceFilter) };
    return listStream('jobs', this.jobs(id), { plan: shown });
  }

  /** What was altered stays altered. */
  @Audited('alterations.cancel', { target: 'alteration-plan', param: 'id' })
  @ApiPost(':id/cancel', RUN)
  async cancel(@Param('id') id: string) {
    if (!(await this.plans.cancel(id))) {
      const { status } = await this.require(id);
      throw new ConflictError(`Alteration plan "${id}" has already ended (${status}), so it cannot be cancelled.`);
    }
    return afterCommit(() => this.one(id));
  }

  private async require(id: string): Promise<AlterationPlan> {
    const found = await this.plans.findPlan(id);
    if (!found) throw new ResourceNotFoundError('alteration plan', id);
    return found;
  }

  private async *jobs(planId: string): AsyncGenerator<object[], void> {
    for await (const jobs of this.plans.jobs(planId)) yield jobs.map((job) => withoutNulls(withUnreadable(job)));
  }

  /** As it was given, but for a value that is a secret by the id of its variable. */
  private shownAlteration(alteration: object): object {
    const variableId = memberOf(alteration as Record<string, unknown>, 'variableId');
    if (typeof variableId !== 'string') return alteration;
    return Object.fromEntries(
      Object.entries(alteration).map(([name, value]) => [
        name,
        /^value$/i.test(name) ? this.shown.named(variableId, value) : (value as unknown),
      ]),
    );
  }

  private retry(
    { workflowInstanceIds, activityIds }: RetryRequest,
    request: HttpRequest,
    reply: HttpReply,
  ): Promise<AlterationAnswer> {
    const ids = distinctIds(workflowInstanceIds, 'workflowInstanceIds') ?? [];
    return this.requests.retry(ids, activityIds, requesterOf(request), reply);
  }
}

function planSubmitted({ body, answer }: AuditedRequest): AuditNote {
  const planId = textIn(answer, 'planId') ?? textIn(body, 'id');
  return { targetIds: planId === undefined ? [] : [planId], details: { alterations: typesOf(body.alterations) } };
}

function alterationsRun({ body, answer }: AuditedRequest): AuditNote {
  const { results } = answer;
  const planId = textIn(answer, 'planId');
  // What a plan fails on is not known yet.
  const isDone = Array.isArray(results) && planId === undefined;
  return {
    targetIds: textsIn(body, 'workflowInstanceIds'),
    details: {
      alterations: typesOf(body.alterations),
      planId,
      failed: isDone ? results.filter((result) => !isSuccessful(result)).length : undefined,
    },
  };
}

/** What was done, never the values that were set. */
const typesOf = (alterations: unknown): string | undefined =>
  Array.isArray(alterations) ? alterations.map((alteration) => textIn(alteration, 'type')).join(', ') : undefined;

const isSuccessful = (result: unknown): boolean => (result as { isSuccessful?: boolean }).isSuccessful === true;
