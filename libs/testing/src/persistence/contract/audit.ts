import type { AuditEntry, AuditFilter } from '@waymark/runtime/adapter';
import { after, T0, uid } from '../builders.js';
import type { ContractContext } from './contract-context.js';

/** `AuditStore`. */
export function auditContract(context: ContractContext): void {
  const { describe, it, expect } = context.framework;

  const anEntry = (given: Partial<AuditEntry> = {}): AuditEntry => ({
    id: uid('entry'),
    at: T0,
    actorKind: 'User',
    action: uid('things') + '.change',
    targetIds: [],
    targetCount: 0,
    outcome: 'Succeeded',
    details: {},
    ...given,
  });
  const idsOf = async (filter: AuditFilter, limit = 100) =>
    (await context.otherNode.audit.find(filter, { limit })).map(({ id }) => id);

  describe('audit entries', () => {
    it('are read as they were written', async () => {
      const bare = anEntry();
      const full = anEntry({
        at: after(1),
        actor: 'žluťoučký 🐎',
        targetKind: 'definition',
        targetIds: ['ä', "it's", 'a'.repeat(255)],
        targetCount: 7,
        outcome: 'Refused',
        code: 'WM8005',
        address: '2001:db8::1',
        userAgent: 'curl/8 "x" \\ %',
        requestId: 'r-1',
        details: { version: 3, published: true, note: 'ü' },
      });
      await context.store.audit.add([bare, full]);
      await context.store.audit.add([]);
      const read = async ({ action }: AuditEntry) => context.otherNode.audit.find({ action }, { limit: 2 });
      expect(await read(bare)).toEqual([bare]);
      expect(await read(full)).toEqual([full]);
    });

    it('are written all or none', async () => {
      const [known, fresh] = [anEntry(), anEntry()];
      await context.store.audit.add([known]);
      await expect(context.store.audit.add([fresh, { ...known, targetIds: ['again'] }])).rejects.toThrow();
      expect(await idsOf({ action: fresh.action })).toEqual([]);
      expect((await context.store.audit.find({ action: known.action }, { limit: 2 })).length).toBe(1);
    });

    it('are found by each condition, and by all of them together', async () => {
      const [action, other] = [uid('a') + '.x', uid('b') + '.x'];
      const [actor, target] = [uid('actor'), uid('target')];
      const wanted = anEntry({ action, actor, targetKind: 'instance', targetIds: [uid('t'), target], at: after(50) });
      const unlike = [
        anEntry({ action, actor: uid('actor'), targetKind: 'definition', targetIds: [uid('t')], at: after(10) }),
        anEntry({ action, actorKind: 'ApiKey', outcome: 'Refused', at: after(60) }),
        anEntry({ action: other, at: after(50) }),
      ];
      await context.store.audit.add([...unlike, wanted]);
      const [early, late] = unlike as [AuditEntry, AuditEntry];
      expect(await idsOf({ actor })).toEqual([wanted.id]);
      expect(await idsOf({ targetId: target })).toEqual([wanted.id]);
      expect(await idsOf({ targetId: target, targetKind: 'instance', action, actor, outcome: 'Succeeded' })).toEqual([
        wanted.id,
      ]);
      expect(await idsOf({ targetId: target, targetKind: 'definition' })).toEqual([]);
      expect(await idsOf({ action })).toEqual([late.id, wanted.id, early.id]);
      expect(await idsOf({ action, targetKind: 'instance' })).toEqual([wanted.id]);
      expect(await idsOf({ action, outcome: 'Refused' })).toEqual([late.id]);
      expect(await idsOf({ action, actorKind: 'ApiKey' })).toEqual([late.id]);
      expect(await idsOf({ action, from: after(50) })).toEqual([late.id, wanted.id]);
      expect(await idsOf({ action, to: after(50) })).toEqual([early.id]);
      expect(await idsOf({ targetId: target, from: after(51) })).toEqual([]);
      expect(await idsOf({ action: action.toUpperCase() })).toEqual([]);
      for (const nonsense of ['\0', '\ud800', 'a'.repeat(100_000), "' OR ''='"])
        expect([await idsOf({ actor: nonsense }), await idsOf({ targetId: nonsense, action: nonsense })]).toEqual([
          [],
          [],
        ]);
    });

    it('are read page by page, the newest first, also those of one millisecond and those that name a target', async () => {
      const [action, target] = [uid('pages') + '.x', uid('target')];
      const entries = Array.from({ length: 7 }, (_, n) =>
        anEntry({ action, targetIds: [target, target], targetCount: 1, at: after(n < 4 ? 0 : 1) }),
      );
      await context.store.audit.add(entries);
      const expected = [...entries]
        .sort((left, right) => right.at.getTime() - left.at.getTime() || (left.id < right.id ? 1 : -1))
        .map(({ id }) => id);
      for (const filter of [{ action }, { targetId: target }]) {
        const read: string[] = [];
        let page = await context.store.audit.find(filter, { limit: 3 });
        while (page.length > 0) {
          read.push(...page.map(({ id }) => id));
          page = await context.store.audit.find(filter, { limit: 3, after: page.at(-1) });
        }
        expect(read).toEqual(expected);
      }
    });

    it('are purged by their age, the oldest first, with their targets', async () => {
      const { audit } = context.store;
      const [action, target] = [uid('old') + '.x', uid('target')];
      const at = (days: number) => new Date(Date.UTC(2001, 0, 1 + days));
      const entries = [3, 1, 2, 40].map((days) => anEntry({ action, targetIds: [target], at: at(days) }));
      await audit.add(entries);
      expect(await audit.purge(at(30), 2)).toBe(2);
      expect(await idsOf({ action })).toEqual([entries[3]!.id, entries[0]!.id]);
      expect(await idsOf({ targetId: target })).toEqual([entries[3]!.id, entries[0]!.id]);
      const counts = await Promise.all([audit.purge(at(30), 10), context.otherNode.audit.purge(at(30), 10)]);
      expect(counts.reduce((all, count) => all + count)).toBe(1);
      expect(await audit.purge(at(30), 10)).toBe(0);
      expect(await idsOf({ targetId: target })).toEqual([entries[3]!.id]);
    });
  });
}
