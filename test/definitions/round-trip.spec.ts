import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { WorkflowDefinition } from '@waymark/core';
import { IWorkflowDefinitionPublisher } from '@waymark/runtime';
import { W, seq, workflow } from '../conformance/lib/build.mjs';
import { definitionsOf, type ConformanceGroup } from '../support/conformance-definitions.js';
import { throughExport } from '../support/round-trip.js';
import { useApplication } from '../support/use-application.js';

const CASES = path.resolve(import.meta.dirname, '../conformance/cases');
const test = useApplication();

describe.each(readdirSync(CASES))('definitions of the black-box cases: %s', (file: string) => {
  it('definitions of the black-box cases are equal after an export and an import', async () => {
    const { default: group } = (await import(path.join(CASES, file))) as { default: ConformanceGroup };
    const models = await definitionsOf(group);
    const name = path.parse(file).name;
    expect(models.length).toBeGreaterThan(0);
    for (const [i, model] of models.entries()) {
      const read = test.app.read({ ...model, definitionId: `${name}-${i}` });
      const { warnings: _, version: _version, id: _id, ...draft } = read;
      const stored = await test.app.get(IWorkflowDefinitionPublisher).saveDraft(draft);
      const { first, second } = throughExport(stored, test.app.context);
      expect(second).toEqual(first);
    }
  });
});

it('a difference is noticed', async () => {
  const model = workflow('round-trip', seq('S', [W('w', 'x')]));
  await test.deploy(model);
  const stored = await test.definition('round-trip');
  const other = { ...stored, root: { ...stored.root, extra: () => 'functions have no JSON form' } };
  const { first, second } = throughExport(other as WorkflowDefinition, test.app.context);
  expect(second).not.toEqual(first);
});
