import { afterAll, beforeAll, expect } from '@jest/globals';
import type { WorkflowDefinition } from '@waymark/core';
import { IWorkflowDefinitionService } from '@waymark/runtime';
import { type Activity, type Model, workflow } from '../conformance/lib/build.mjs';
import { TestApplication, type StartRequest } from './application.js';
import { throughExport } from './round-trip.js';
import type { Run } from './run.js';

let count = 0;
/** An id that no other definition of this process has. */
export const uniqueId = (name = 'wf'): string => `${name}-${++count}`;

export interface Members extends Record<string, unknown> {
  /** How to start it; everything else are members of the definition. */
  readonly request?: StartRequest;
}

/** One application for all tests of a file. Whatever is deployed is also exported and imported again. */
export class ApplicationUnderTest {
  app!: TestApplication;

  /** Deploys definitions; each must come back equal from its export. */
  async deploy(...models: Model[]): Promise<void> {
    for (const model of models) {
      await this.app.deploy(model);
      const stored = await this.definition(model.definitionId);
      const { first, second } = throughExport(stored, this.app.context);
      expect(second).toEqual(first);
    }
  }

  /** The latest version, published or not. */
  latest(definitionId: string): Promise<WorkflowDefinition> {
    return this.app.get(IWorkflowDefinitionService).require({ definitionId, versionOptions: 'Latest' });
  }

  /** The published version. */
  definition(definitionId: string): Promise<WorkflowDefinition> {
    return this.app.get(IWorkflowDefinitionService).require(definitionId);
  }

  /** Runs a workflow with that root to its first stop. */
  async run(root: Activity, { request, ...members }: Members = {}): Promise<Run> {
    const model = workflow(uniqueId(), root, members);
    await this.deploy(model);
    return this.app.execute(model.definitionId, request);
  }

  /** Runs it, expects that it finishes, and gives the lines that it wrote. */
  async lines(root: Activity, members?: Members): Promise<unknown[]> {
    const run = await this.run(root, members);
    expect([run.status, ...run.incidents]).toEqual(['Finished']);
    return run.lines;
  }
}

/** To be called at the top of a spec. */
export function useApplication(options: Parameters<typeof TestApplication.start>[0] = {}): ApplicationUnderTest {
  const test = new ApplicationUnderTest();
  beforeAll(async () => {
    test.app = await TestApplication.start(options);
  });
  afterAll(() => test.app.close());
  return test;
}
