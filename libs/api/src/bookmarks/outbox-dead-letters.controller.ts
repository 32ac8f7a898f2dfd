import { HttpCode, Param } from '@nestjs/common';
import { OutboxDeadLetters } from '@waymark/runtime';
import { type OutboxMessage } from '@waymark/runtime/adapter';
import { ResourceNotFoundError } from '../answers/api-errors.js';
import { HidesSecrets } from '../answers/hides-secrets.js';
import { COUNTED_ROWS, DEFAULT_PAGE, pageAnswer, windowOf } from '../answers/lists.js';
import { withUnreadable } from '../answers/unreadable-row.js';
import { Audited } from '../audit/audited.js';
import { ApiController, ApiDelete, ApiGet, ApiPost } from '../module/api-controller.js';
import { FromOptionalBody } from '../requests/bind.js';
import { withoutNulls } from '../requests/json-values.js';
import * as read from '../requests/readers.js';

const listRequest = read.members({
  kind: read.name,
  errorCode: read.name,
  createdBefore: read.date,
  createdAfter: read.date,
  page: read.integerFrom(0),
  pageSize: read.integerFrom(1),
});
type ListRequest = read.ReadBy<typeof listRequest>;

const READ = 'read:outbox:dead-letters';

/** Messages of the outbox whose attempts all failed. Elsa drops such messages. */
@ApiController('outbox/dead-letters')
@HidesSecrets()
export class OutboxDeadLettersController {
  constructor(private readonly messages: OutboxDeadLetters) {}

  @ApiGet('', READ)
  get(@FromOptionalBody(listRequest) request: ListRequest) {
    return this.list(request);
  }

  @ApiPost('', READ)
  post(@FromOptionalBody(listRequest) request: ListRequest) {
    return this.list(request);
  }

  @ApiGet(':id', READ)
  async one(@Param('id') id: string) {
    const found = await this.messages.find(id);
    if (!found) throw new ResourceNotFoundError('dead letter', id);
    return shown(found);
  }

  @Audited('outbox.dead-letters.delete', { target: 'outbox-dead-letter', param: 'id' })
  @ApiDelete(':id', 'delete:outbox:dead-letters')
  @HttpCode(204)
  async delete(@Param('id') id: string): Promise<void> {
    if (!(await this.messages.delete(id))) throw new ResourceNotFoundError('dead letter', id);
  }

  @Audited('outbox.dead-letters.replay', { target: 'outbox-dead-letter', param: 'id' })
  @ApiPost(':id/replay', 'replay:outbox:dead-letters')
  async replay(@Param('id') id: string): Promise<void> {
    if (!(await this.messages.replay(id))) throw new ResourceNotFoundError('dead letter', id);
  }

  private async list({ page, pageSize, ...filter }: ListRequest) {
    const window = { ...windowOf({ page, pageSize }, DEFAULT_PAGE), countUpTo: COUNTED_ROWS };
    const { items, totalCount, isTotalLowerBound } = await this.messages.findMany(filter, window);
    return pageAnswer(items.map(shown), totalCount, isTotalLowerBound);
  }
}

/** Without the node that wrote it: it is served no more. */
const shown = ({ writtenBy: _writtenBy, ...message }: OutboxMessage): object => withoutNulls(withUnreadable(message));
