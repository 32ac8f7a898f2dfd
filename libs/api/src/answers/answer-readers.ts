import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { WorkflowClock } from '@waymark/runtime';
import { SlowReaders } from '@waymark/runtime/adapter';
import { API_OPTIONS, type ResolvedApiOptions } from '../module/api-options.js';

/** Clients of the API that read large answers: a slow one keeps the memory of its answer from others. */
@Injectable()
export class AnswerReaders extends SlowReaders implements OnApplicationShutdown {
  constructor(clock: WorkflowClock, @Inject(API_OPTIONS) options: ResolvedApiOptions) {
    super(clock, options.answerBytesPerSecond, options.answerMemoryBytes);
  }

  onApplicationShutdown(): void {
    this.close();
  }
}
