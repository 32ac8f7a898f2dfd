import {
  Body,
  Controller,
  HttpCode,
  NotFoundException,
  Param,
  ParseEnumPipe,
  Post,
  ValidationPipe,
} from '@nestjs/common';
import { IBookmarkResumer } from '@waymark/runtime';
import { IsBoolean, IsNotEmpty, IsString } from 'class-validator';
import { LeaveDecision, type LeaveDecisionStimulus, type LeaveStep } from './leave-decision.activity.js';

const Steps = { manager: 'manager', head: 'head' } as const;

class DecisionBody {
  @IsBoolean()
  approved!: boolean;

  @IsString()
  @IsNotEmpty()
  by!: string;
}

/** The business application's side: decisions come in by request id; the workflow is found by what it waits for. */
@Controller('leave-requests')
export class LeaveController {
  constructor(private readonly resumer: IBookmarkResumer) {}

  @Post(':requestId/:step')
  @HttpCode(200)
  async decide(
    @Param('requestId') requestId: string,
    @Param('step', new ParseEnumPipe(Steps)) step: LeaveStep,
    @Body(new ValidationPipe({ whitelist: true })) body: DecisionBody,
  ): Promise<{ requestId: string; step: LeaveStep; approved: boolean }> {
    const stimulus: LeaveDecisionStimulus = { requestId, step };
    const resumed = await this.resumer.resume(LeaveDecision, stimulus, {
      input: { approved: body.approved, by: body.by },
    });
    if (!resumed.length)
      throw new NotFoundException(`Nobody waits for the ${step}'s decision on leave request ${requestId}.`);
    return { requestId, step, approved: body.approved };
  }
}
