import { Param } from '@nestjs/common';
import { ITaskReporter } from '@waymark/runtime';
import { Audited } from '../audit/audited.js';
import { ApiController, ApiPost } from '../module/api-controller.js';
import { FromBody } from '../requests/bind.js';
import * as read from '../requests/readers.js';

const completion = read.members({ result: read.anything });

/** Takes reports on work that workflows gave to others. A report on an unknown task is accepted and does nothing. */
@ApiController('tasks')
export class TasksController {
  constructor(private readonly reporter: ITaskReporter) {}

  @Audited('tasks.complete', { target: 'task', param: 'taskId' })
  @ApiPost(':taskId/complete', 'tasks:complete')
  async complete(
    @Param('taskId') taskId: string,
    @FromBody(completion) { result }: read.ReadBy<typeof completion>,
  ): Promise<void> {
    await this.reporter.reportCompletion(taskId, result);
  }
}
