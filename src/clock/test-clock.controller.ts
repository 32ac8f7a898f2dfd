import { BadRequestException, Body, Controller, HttpCode, Post } from '@nestjs/common';
import { WorkflowClock } from '@waymark/runtime';
import type { ShiftedClock } from '@waymark/testing';
import { DueInStore } from './due-in-store.js';

/** Moves the time on, for black-box tests. Only there when the host was started with WAYMARK_TEST_CLOCK=1. */
@Controller('test/clock')
export class TestClockController {
  constructor(
    private readonly clock: WorkflowClock,
    private readonly work: DueInStore,
  ) {}

  @Post()
  @HttpCode(200)
  async advance(@Body() body: { milliseconds?: unknown }): Promise<{ now: string }> {
    const { milliseconds } = body ?? {};
    if (typeof milliseconds !== 'number' || !(milliseconds >= 0))
      throw new BadRequestException('Give {"milliseconds": N} with N >= 0: time moves on, not back.');
    await (this.clock as ShiftedClock).advance(milliseconds, this.work);
    return { now: new Date(this.clock.now()).toISOString() };
  }
}
