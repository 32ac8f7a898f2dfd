import 'reflect-metadata';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { WorkflowApiModule } from '@waymark/api';
import { IWorkflowRuntime, WorkflowModule } from '@waymark/nestjs';
import { StudioModule } from '@waymark/studio';
import { config } from 'rxjs';

@Module({
  imports: [WorkflowModule.forRoot(), WorkflowApiModule.forRoot(), StudioModule.forRoot()],
})
class AppModule {}

describe('an application with Studio that serves no HTTP', () => {
  const unhandled: unknown[] = [];

  beforeEach(() => {
    unhandled.length = 0;
    // What RxJS would throw where only the process can catch it.
    config.onUnhandledError = (error) => void unhandled.push(error);
  });

  afterEach(() => {
    config.onUnhandledError = null;
  });

  it('runs as an application context, as workers, scripts and the REPL start it', async () => {
    const app = await NestFactory.createApplicationContext(AppModule, { logger: false, abortOnError: false });
    // RxJS reports in a timer of its own, which is before this one.
    await new Promise((resolve) => setTimeout(resolve));
    expect(unhandled).toEqual([]);
    expect(await app.get(IWorkflowRuntime).createClient()).toBeDefined();
    await app.close();
  });
});
