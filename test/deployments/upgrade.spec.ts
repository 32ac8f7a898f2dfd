import { expect, it } from '@jest/globals';
import type { WorkflowPersistence } from '@waymark/runtime';
import { EVERY_STORE, testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { built, COMPILERS, versionsAfter } from './builds.js';

/** Rows as a build writes them that knows of no structures. */
async function asBefore(persistence: WorkflowPersistence): Promise<void> {
  const { items } = await persistence.definitions.findMany({});
  const saved = items.map(({ revision, ...definition }) => {
    const { structure: _, ...code } = definition.customProperties['Waymark:Code'] as Record<string, unknown>;
    const customProperties = { ...definition.customProperties, 'Waymark:Code': code };
    return { definition: { ...definition, customProperties }, expectedRevision: revision };
  });
  await persistence.definitions.apply({ saved, deletedIds: [], addedTriggers: [], removedTriggerIds: [] });
}

describeOn(
  await testBackends(...EVERY_STORE),
  'versions that a build before structures has stored, on $name',
  (backend) => {
    it('versions that a build before structures has stored are those of the same code, whatever compiles it', async () => {
      const started = async (compiler: string): Promise<string[]> => {
        const modules = built(COMPILERS[compiler]!);
        const persistence = await backend.create();
        return versionsAfter(persistence, modules['./workflows.js']!.release1, modules['./activities.js']);
      };
      const before = await started('tsc');
      const persistence = await backend.create();
      await persistence.initialize();
      await asBefore(persistence);
      const counter = await persistence.definitions.changeCounter();
      expect(await started('esbuild, minified')).toEqual(before);
      expect(await persistence.definitions.changeCounter()).toBe(counter);
      await persistence.close();
      await backend.drop();
    });
  },
);
