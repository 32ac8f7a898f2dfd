import { Module } from '@nestjs/common';
import { LeaveApproval } from './leave-approval.workflow.js';
import { LeaveController } from './leave.controller.js';
import { LeaveStatusWorkflow } from './leave-status.workflow.js';
import { ReadLeaveStatus } from './read-leave-status.activity.js';

/** The sample business application: activities, workflows and the controller that brings decisions in. */
@Module({
  controllers: [LeaveController],
  providers: [ReadLeaveStatus, LeaveApproval, LeaveStatusWorkflow],
})
export class LeaveModule {}
