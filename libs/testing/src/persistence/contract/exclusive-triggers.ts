import { aChange, aDefinition, aTrigger, uid } from '../builders.js';
import { type ContractContext, outcomes } from './contract-context.js';

/** `exclusiveKey` of triggers: one definition has it. */
export function exclusiveTriggersContract(context: ContractContext): void {
  const { describe, it, expect } = context.framework;

  describe('exclusive triggers', () => {
    it('belong to one definition, which the refusal names', async () => {
      const { store } = context;
      const exclusiveKey = uid('http GET orders/{}');
      const [holder, other] = [aDefinition(), aDefinition()];
      const held = aTrigger(holder, { exclusiveKey });
      await store.definitions.apply(
        aChange({ saved: [{ definition: holder, expectedRevision: undefined }], addedTriggers: [held] }),
      );
      const second = aChange({
        saved: [{ definition: other, expectedRevision: undefined }],
        addedTriggers: [aTrigger(other), aTrigger(other, { exclusiveKey })],
      });
      await expect(store.definitions.apply(second)).rejects.toMatchObject({
        code: 'WM7006',
        exclusiveKey,
        definitionId: other.definitionId,
        heldByDefinitionId: holder.definitionId,
      });
      expect(await store.definitions.count({ id: other.id })).toBe(0);
      expect(await store.triggers.findMany({ workflowDefinitionIds: [other.definitionId] })).toEqual([]);
      // The same definition may use it twice, and a change that frees it may give it to another one.
      await store.definitions.apply(aChange({ addedTriggers: [aTrigger(holder, { exclusiveKey })] }));
      const ids = (await store.triggers.findMany({ workflowDefinitionIds: [holder.definitionId] })).map(
        (row) => row.id,
      );
      await store.definitions.apply({ ...second, removedTriggerIds: ids });
      expect(await store.triggers.findMany({ workflowDefinitionIds: [other.definitionId] })).toHaveLength(2);
    });

    it('are refused within one change as well', async () => {
      const exclusiveKey = uid('http GET');
      const [one, two] = [aDefinition(), aDefinition()];
      const both = aChange({ addedTriggers: [aTrigger(one, { exclusiveKey }), aTrigger(two, { exclusiveKey })] });
      await expect(context.store.definitions.apply(both)).rejects.toMatchObject({ code: 'WM7006', exclusiveKey });
    });

    it('are saved by only one of many nodes', async () => {
      const exclusiveKey = uid('http POST');
      const counts = await outcomes(
        Array.from({ length: 20 }, (_, n) =>
          (n % 2 ? context.store : context.otherNode).definitions.apply(
            aChange({ addedTriggers: [aTrigger(aDefinition(), { exclusiveKey })] }),
          ),
        ),
      );
      expect(counts).toEqual({ fulfilled: 1, WM7006: 19 });
    });
  });
}
