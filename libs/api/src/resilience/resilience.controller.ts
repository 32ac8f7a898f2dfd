import { Param } from '@nestjs/common';
import { ResilienceStrategies } from '@waymark/runtime/adapter';
import { ActivityExecutions } from '../activity-executions/activity-executions.js';
import { HidesSecrets } from '../answers/hides-secrets.js';
import { JsonWithCharset } from '../answers/json-type.js';
import { DEFAULT_PAGE, listAnswer, pageAnswer, windowOf } from '../answers/lists.js';
import { ApiController, ApiGet } from '../module/api-controller.js';
import { FromQuery } from '../requests/bind.js';
import * as read from '../requests/readers.js';

const strategiesRequest = read.members({ category: read.name });
const retriesRequest = read.members({ skip: read.integerFrom(0), take: read.integerFrom(0) });

const READ = ['read:resilience', 'read:*'] as const;

/** How activities are tried again, and how often one was. */
@ApiController('resilience')
@HidesSecrets()
export class ResilienceController {
  constructor(
    private readonly known: ResilienceStrategies,
    private readonly executions: ActivityExecutions,
  ) {}

  @JsonWithCharset()
  @ApiGet('strategies', 'read:resilience:strategies', ...READ)
  strategies(@FromQuery(strategiesRequest) { category }: read.ReadBy<typeof strategiesRequest>) {
    return listAnswer(this.known.list(category));
  }

  /** An execution that is not there had none, as in the reference. */
  @ApiGet('retries/:activityInstanceId', 'read:resilience:retries', ...READ)
  async retries(
    @Param('activityInstanceId') id: string,
    @FromQuery(retriesRequest) request: read.ReadBy<typeof retriesRequest>,
  ) {
    const found = await this.executions.find(id);
    const kept = found?.record.properties.RetryAttempts;
    const attempts: readonly unknown[] = Array.isArray(kept) ? kept : [];
    const { skip, take } = windowOf(request, DEFAULT_PAGE);
    return { ...pageAnswer(attempts.slice(skip, skip + take), attempts.length), links: [] };
  }
}
