import { Param } from '@nestjs/common';
import { isWaymarkError, type TriggerBase } from '@waymark/core';
import { type ActivityRegistration } from '@waymark/core/adapter';
import { WorkflowClock, WorkflowEngine } from '@waymark/runtime';
import { loopTurns } from '@waymark/runtime/adapter';
import { InvalidRequestError, ResourceNotFoundError } from '../answers/api-errors.js';
import { listAnswer } from '../answers/lists.js';
import { ApiController, ApiGet, ApiPost } from '../module/api-controller.js';
import { FromBody, FromQuery } from '../requests/bind.js';
import * as read from '../requests/readers.js';
import { activityDescriptorAnswer } from './activity-descriptor-answers.js';

const versionRequest = read.members({ version: read.integer });
type VersionRequest = read.ReadBy<typeof versionRequest>;

const dueTimesRequest = read.members({
  version: read.integer,
  payload: read.required(read.dictionary),
  count: read.integerFrom(1),
});
const DUE_TIMES = 5;
const MOST_DUE_TIMES = 50;

const READ = ['read:activity-descriptors', 'read:*'] as const;

/** The activity types that definitions may use. Names are matched exactly. */
@ApiController('descriptors/activities')
export class ActivityDescriptorsController {
  constructor(
    private readonly engine: WorkflowEngine,
    private readonly clock: WorkflowClock,
  ) {}

  @ApiGet('', ...READ)
  list() {
    return listAnswer(onOffer(this.engine.activities.list()).map((r) => activityDescriptorAnswer(r.descriptor)));
  }

  @ApiGet(':typeName', ...READ)
  one(@Param('typeName') typeName: string, @FromQuery(versionRequest) { version }: VersionRequest) {
    return activityDescriptorAnswer(this.require(typeName, version).descriptor);
  }

  /** Options that an editor may offer for an input, when it depends on more than the descriptor. */
  @ApiPost(':typeName/options/:propertyName', 'read:activity-descriptors-options', 'read:*')
  options(
    @Param('typeName') typeName: string,
    @Param('propertyName') propertyName: string,
    @FromBody(versionRequest) { version }: VersionRequest,
  ) {
    const { inputs } = this.require(typeName, version).descriptor;
    const input = inputs.find((i) => i.name === propertyName || i.propertyName === propertyName);
    if (!input) throw new ResourceNotFoundError(`input of ${typeName}`, propertyName);
    return { items: input.uiSpecifications };
  }

  /** When a trigger with that payload would start workflows next, as far as times decide on it. */
  @ApiPost(':typeName/due-times', ...READ)
  async dueTimes(
    @Param('typeName') typeName: string,
    @FromBody(dueTimesRequest) request: read.ReadBy<typeof dueTimesRequest>,
  ) {
    const { payload, version, count = DUE_TIMES } = request;
    if (count > MOST_DUE_TIMES)
      throw InvalidRequestError.at('count', `'count' must be ${MOST_DUE_TIMES} or less, but it is ${count}.`);
    const trigger = this.require(typeName, version).provider as Partial<TriggerBase>;
    const times: Date[] = [];
    for (let now = this.clock.now(); times.length < count; now = times.at(-1)!.getTime()) {
      // Looking for a leap day that is a Monday takes milliseconds each time.
      const turn = loopTurns.goOn();
      if (turn) await turn;
      const next = dueAt(trigger, payload, now);
      // One that is due once stays due.
      if (!next || (times.length > 0 && next.getTime() <= now)) break;
      times.push(next);
    }
    return { times };
  }

  private require(typeName: string, version: number | undefined): ActivityRegistration {
    const found = this.engine.activities.find(typeName, version);
    if (!found || (version !== undefined && found.descriptor.version !== version))
      throw new ResourceNotFoundError(
        'activity type',
        version === undefined ? typeName : `${typeName} version ${version}`,
      );
    return found;
  }
}

/**
 * Without the drafts of workflows that are published: tools offer the newest version of a type if that may be offered, so that a
 * draft would take the published workflow away. Versions below the published one remain: workflows that use them are drawn by them.
 */
function onOffer(all: readonly ActivityRegistration[]): ActivityRegistration[] {
  const published = new Map<string, number>();
  for (const { descriptor } of all) {
    const { typeName, version, isBrowsable } = descriptor;
    if (isBrowsable) published.set(typeName, Math.max(version, published.get(typeName) ?? version));
  }
  return all.filter(({ descriptor }) => {
    const { typeName, version, isBrowsable, constructionProperties } = descriptor;
    const isDraft = !isBrowsable && typeof constructionProperties.WorkflowDefinitionId === 'string';
    return !isDraft || version <= (published.get(typeName) ?? version);
  });
}

/** @throws InvalidRequestError for a payload that the trigger cannot have */
function dueAt(trigger: Partial<TriggerBase>, payload: object, now: number): Date | undefined {
  try {
    return trigger.getTriggerDueAt?.(payload, now) ?? undefined;
  } catch (cause) {
    const why = isWaymarkError(cause) ? cause.message : 'it does not belong to this activity type.';
    throw new InvalidRequestError({ payload: [`The payload cannot be read: ${why}`] }, { cause });
  }
}
