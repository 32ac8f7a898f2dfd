import { Param } from '@nestjs/common';
import { JournalEvent, type WorkflowExecutionLogEntry } from '@waymark/core';
import { WorkflowPersistence } from '@waymark/runtime';
import { JournalScan, NumberSet, type WorkflowInstanceSummary } from '@waymark/runtime/adapter';
import { ResourceNotFoundError } from '../answers/api-errors.js';
import { HidesSecrets } from '../answers/hides-secrets.js';
import { DEFAULT_PAGE, pageAnswer, windowOf } from '../answers/lists.js';
import { ApiController, ApiGet, ApiPost } from '../module/api-controller.js';
import { FromOptionalBody, FromQuery } from '../requests/bind.js';
import * as read from '../requests/readers.js';
import { JournalValues } from './journal-values.js';
import { journalEntity, journalRecord } from './journal-answers.js';

const paging = {
  page: read.integerFrom(0),
  pageSize: read.integerFrom(1),
  skip: read.integerFrom(0),
  take: read.integerFrom(0),
};
const pageRequest = read.members(paging);
type PageRequest = read.ReadBy<typeof pageRequest>;

const filterRequest = read.members({
  ...paging,
  filter: read.optionalMembers({
    activityIds: read.list(read.name),
    activityNodeIds: read.list(read.name),
    excludedActivityTypes: read.list(read.name),
    eventNames: read.list(read.name),
  }),
});
type FilterRequest = read.ReadBy<typeof filterRequest>;

/** What the last entry of an activity may say, as in the reference: not that it waits, was altered, or wrote something itself. */
const LAST_EVENTS: ReadonlySet<string> = new Set([JournalEvent.Started, JournalEvent.Completed, JournalEvent.Faulted]);

/** Values are read for what is shown, and no further than an answer goes. */
const LIGHT = { valueBytes: 0 };
const READ = 'read:workflow-instances';

/** What happened in an instance, in order. */
@ApiController('workflow-instances/:id/journal')
@HidesSecrets()
export class JournalController {
  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly values: JournalValues,
  ) {}

  @ApiGet('', READ)
  async page(@Param('id') id: string, @FromQuery(pageRequest) request: PageRequest) {
    const window = windowOf(request, DEFAULT_PAGE);
    const { items, totalCount } = await this.persistence.journal.readLogPage(id, window, LIGHT);
    const shown = await this.values.shown(id, items);
    return pageAnswer(
      shown.map((entry) => journalRecord(id, entry)),
      totalCount,
    );
  }

  @ApiPost('', READ)
  async filtered(@Param('id') id: string, @FromOptionalBody(filterRequest) { filter, ...request }: FilterRequest) {
    if (!filter) return this.page(id, request);
    const isSelected = selectedBy(filter);
    const scan = await JournalScan.of(this.persistence.journal, id);
    const matching = new NumberSet();
    for await (const entries of scan.latestEntries())
      for (const entry of entries) if (isSelected(entry)) matching.add(entry.sequence);
    const { skip, take } = windowOf(request, DEFAULT_PAGE);
    const shown = await this.values.shown(id, await scan.entries(matching.slice(skip, take)));
    return pageAnswer(
      shown.map((entry) => journalRecord(id, entry)),
      matching.size,
    );
  }

  @ApiGet(':activityId', READ)
  async last(@Param('id') id: string, @Param('activityId') activityId: string) {
    const instance = await this.require(id);
    const scan = await JournalScan.of(this.persistence.journal, id);
    const entry = await scan.lastEntry((e) => e.activityId === activityId && LAST_EVENTS.has(e.eventName));
    if (!entry) throw new ResourceNotFoundError('journal entry of activity', activityId);
    const [shown] = await this.values.shown(id, [entry]);
    return journalEntity(instance, shown!);
  }

  /** A large value that another answer only referred to. */
  @ApiGet('values/:hash', READ)
  async value(@Param('id') id: string, @Param('hash') hash: string) {
    const found = await this.values.find(id, hash);
    if (found.length === 0) throw new ResourceNotFoundError('value in the journal', hash);
    return { journalValue: hash, value: found[0] };
  }

  /** Lists are empty for an unknown instance, as in the reference; a single entry is not found. */
  private async require(id: string): Promise<WorkflowInstanceSummary> {
    const { items } = await this.persistence.instances.findMany({ ids: [id] });
    if (!items[0]) throw new ResourceNotFoundError('workflow instance', id);
    return items[0];
  }
}

/** Empty lists are no conditions. */
function selectedBy(filter: NonNullable<FilterRequest['filter']>): (entry: WorkflowExecutionLogEntry) => boolean {
  // Sets: lists may have tens of thousands of members, and so may the journal.
  const wantedOf = (list: readonly string[] | undefined) => (list?.length ? new Set(list) : undefined);
  const activityIds = wantedOf(filter.activityIds);
  const activityNodeIds = wantedOf(filter.activityNodeIds);
  const eventNames = wantedOf(filter.eventNames);
  const excluded = wantedOf(filter.excludedActivityTypes);
  return (entry) =>
    (!activityIds || activityIds.has(entry.activityId)) &&
    (!activityNodeIds || activityNodeIds.has(entry.activityNodeId)) &&
    (!eventNames || eventNames.has(entry.eventName)) &&
    !excluded?.has(entry.activityType);
}
