import { Body, Controller, HttpCode, Param, Post, UseGuards } from '@nestjs/common';
import { isWaymarkError } from '@waymark/core';
import { IUserTaskService, type TaskPerson, type UserTaskRecord, WorkflowPersistence } from '@waymark/runtime';
import { ApiKeyGuard, RequiresPermission } from '../api/api-key.guard.js';
import { HostPermission } from '../api/host-permissions.js';
import { DecisionNotAwaitedError, LeaveRequestNotFoundError } from './leave-errors.js';
import { type LeaveStep, leaveTask, readDecision, readStep } from './leave-input.js';

/** The business application's side: decisions come in by request id, and complete the task that waits for them. */
@Controller('leave-requests')
@UseGuards(ApiKeyGuard)
@RequiresPermission(HostPermission.DecideLeave)
export class LeaveController {
  constructor(
    private readonly tasks: IUserTaskService,
    private readonly persistence: WorkflowPersistence,
  ) {}

  @Post(':requestId/:step')
  @HttpCode(200)
  async decide(
    @Param('requestId') requestId: string,
    @Param('step') stepName: string,
    @Body() body: unknown,
  ): Promise<{ requestId: string; step: LeaveStep; approved: boolean }> {
    const step = readStep(stepName);
    const { approved, by } = readDecision(body);
    // Callers with this permission decide on behalf of the person that they name.
    const person: TaskPerson = { user: by, groups: [], isManager: true };
    const task = await this.taskOf(person, requestId, step);
    try {
      await this.tasks.complete(person, task.id, { outcome: approved ? 'Approve' : 'Reject' });
    } catch (error) {
      throw isWaymarkError(error, 'WM2072') ? new DecisionNotAwaitedError(requestId, step) : error;
    }
    return { requestId, step, approved };
  }

  /** @throws DecisionNotAwaitedError, LeaveRequestNotFoundError */
  private async taskOf(person: TaskPerson, requestId: string, step: LeaveStep): Promise<UserTaskRecord> {
    const query = { scope: 'All', correlationIds: [requestId], names: [leaveTask(step)], limit: 1 } as const;
    const { items } = await this.tasks.list(person, query);
    if (items[0]) return items[0];
    const known = await this.persistence.instances.count({
      correlationIds: [requestId],
      definitionIds: ['leave-approval'],
    });
    throw known ? new DecisionNotAwaitedError(requestId, step) : new LeaveRequestNotFoundError(requestId);
  }
}
