import { Body, Controller, HttpCode, Param, Post, UseGuards } from '@nestjs/common';
import { IBookmarkResumer, WorkflowPersistence } from '@waymark/runtime';
import { ApiKeyGuard, RequiresPermission } from '../api/api-key.guard.js';
import { HostPermission } from '../api/host-permissions.js';
import { DecisionNotAwaitedError, LeaveRequestNotFoundError } from './leave-errors.js';
import { LeaveDecision, type LeaveDecisionStimulus } from './leave-decision.activity.js';
import { type LeaveStep, readDecision, readStep } from './leave-input.js';

/** The business application's side: decisions come in by request id; the workflow is found by what it waits for. */
@Controller('leave-requests')
@UseGuards(ApiKeyGuard)
@RequiresPermission(HostPermission.DecideLeave)
export class LeaveController {
  constructor(
    private readonly resumer: IBookmarkResumer,
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
    const decision = readDecision(body);
    const stimulus: LeaveDecisionStimulus = { requestId, step };
    const resumed = await this.resumer.resume(LeaveDecision, stimulus, { input: { ...decision } });
    if (!resumed.length) throw await this.notAwaited(requestId, step);
    return { requestId, step, approved: decision.approved };
  }

  private async notAwaited(requestId: string, step: LeaveStep): Promise<Error> {
    const known = await this.persistence.instances.count({
      correlationIds: [requestId],
      definitionIds: ['leave-approval'],
    });
    return known ? new DecisionNotAwaitedError(requestId, step) : new LeaveRequestNotFoundError(requestId);
  }
}
