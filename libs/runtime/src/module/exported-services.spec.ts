import 'reflect-metadata';
import { afterEach, expect, it } from '@jest/globals';
import type { InjectionToken } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { BurstCommitter } from '../bursts/burst-committer.js';
import { resolveRuntimeOptions } from '../options/resolve-runtime-options.js';
import { RUNTIME_OPTIONS } from '../options/runtime-options.js';
import { IWorkflowRuntime } from '../services/instance-services.js';
import { WorkflowRuntimeModule } from './workflow-runtime.module.js';

let module: TestingModule | undefined;
afterEach(() => module?.close());

const SILENT = { log: () => undefined, warn: () => undefined, error: () => undefined };

/** An application that injects it. */
function inject(token: InjectionToken): Promise<TestingModule> {
  const runtime = WorkflowRuntimeModule.compose({
    providers: [{ provide: RUNTIME_OPTIONS, useValue: resolveRuntimeOptions() }],
  });
  const providers = [{ provide: 'injected', inject: [token], useFactory: (found: unknown) => found }];
  return Test.createTestingModule({ imports: [runtime], providers })
    .setLogger(SILENT)
    .compile();
}

it('lets an application inject its services', async () => {
  module = await inject(IWorkflowRuntime);
  expect(module.get('injected')).toBe(module.get(IWorkflowRuntime, { strict: false }));
});

it('keeps its internal providers to itself', async () => {
  await expect(inject(BurstCommitter)).rejects.toThrow('BurstCommitter');
});
