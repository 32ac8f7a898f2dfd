import { expect } from '@jest/globals';
import { IWorkflowDefinitionPublisher, IWorkflowRuntime } from '@waymark/runtime';
import { literal, sequence, waitFor } from '../support/runtime-node.js';
import type { Scenario, Step } from './fault-world.js';
import { expectInstances, instancesOf, scenario, settle, start } from './scenarios.js';

const deleteInstance: Step = async (at) => {
  const [instanceId] = await instancesOf(at, 'w');
  if (instanceId !== undefined) await (await at.node.get(IWorkflowRuntime).createClient(instanceId)).delete();
};

/** What a deletion takes with it goes, wherever it is cut off. */
export const deletionScenarios: readonly Scenario[] = [
  scenario('a deletion of an instance that has faulted, and kept its child for a repair', {
    deploy: async ({ node, key }) => {
      await node.deploy(`${key}-kid`, sequence('S', waitFor('E', `${key}-never`)));
      const child = { type: 'Elsa.DispatchWorkflow', id: 'Child', workflowDefinitionId: literal(`${key}-kid`) };
      await node.deploy(`${key}-w`, sequence('S', child, { type: 'Elsa.Fault', id: 'X' }));
    },
    steps: [start('w'), settle, deleteInstance, settle],
    check: async (at) => {
      expect(await instancesOf(at, 'w')).toEqual([]);
      // A child that was not started yet never is.
      const kids = await instancesOf(at, 'kid');
      if (kids.length > 0) await expectInstances(at, 'kid', 1, 'Cancelled', []);
    },
  }),

  scenario('a deletion of a definition', {
    deploy: ({ node, key }) => node.deploy(`${key}-w`, sequence('S', waitFor('E', `${key}-never`))),
    steps: [start('w'), ({ node, key }) => node.get(IWorkflowDefinitionPublisher).delete([`${key}-w`]), settle],
    check: async (at) => {
      expect((await at.store.definitions.findMany({ definitionId: `${at.key}-w` })).items).toEqual([]);
      expect(await instancesOf(at, 'w')).toEqual([]);
    },
  }),

  scenario('a deletion of a version', {
    deploy: ({ node, key }) => node.deploy(`${key}-w`, sequence('S', waitFor('E', `${key}-never`))),
    steps: [
      start('w'),
      async ({ node, store, key }) => {
        const versions = await store.definitions.findVersions({ definitionId: `${key}-w` });
        await node.get(IWorkflowDefinitionPublisher).deleteVersions(versions.map(({ id }) => id));
      },
      settle,
    ],
    check: async (at) => {
      expect((await at.store.definitions.findMany({ definitionId: `${at.key}-w` })).items).toEqual([]);
      expect(await instancesOf(at, 'w')).toEqual([]);
    },
  }),
];
