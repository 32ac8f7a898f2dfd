import { readFileSync } from 'node:fs';
import path from 'node:path';
import { contentOf } from '../../libs/studio/client/src/api/design-content.js';
import { move } from '../../libs/studio/client/src/designer/model/commands.js';
import { type Design, edit } from '../../libs/studio/client/src/designer/model/change.js';
import { parseExactly } from '../../libs/studio/client/src/api/exact-json.js';
import { historyOf, perform } from '../../libs/studio/client/src/designer/model/history.js';
import { activityPath, levelAt, positionOf } from '../../libs/studio/client/src/designer/model/level.js';
import { BuiltHost } from '../support/built-host.js';
import { describeThorough } from '../support/depth.js';

const RECORDED = path.join(
  import.meta.dirname,
  '../../libs/studio/client/src/designer/model/recorded-definitions.jsonl',
);
const ROUTE = '/elsa/api/workflow-definitions';

/** Those of Elsa that have an activity that can be moved. */
const recorded = readFileSync(RECORDED, 'utf8')
  .trim()
  .split('\n')
  .map((text) => JSON.parse(text) as Design)
  .filter(({ root }) => typeof root?.id === 'string' && levelAt({ root } as Design, []).activities.length > 0);

describeThorough(
  'a recorded definition that is imported, moved in one place as the designer does it, saved and exported',
  () => {
    const host = new BuiltHost();
    beforeAll(() => host.start());
    afterAll(() => host.remove());

    it('has one other position, and nothing else is different', async () => {
      let compared = 0;
      for (const [index, one] of recorded.entries()) {
        const id = `recorded-${index}`;
        const imported = await host.call('POST', `${ROUTE}/import`, { ...one, definitionId: id });
        // What this host refuses, such as an id that is there twice, has no way back either.
        if (imported.status >= 400) continue;
        const exported = async () => (await host.call('GET', `${ROUTE}/${id}/export?versionOptions=Latest`)).text;
        const before = await exported();
        const { text } = await host.call('GET', `${ROUTE}/by-definition-id/${id}?versionOptions=Latest`);
        const design = parseExactly(text) as Design;
        const level = levelAt(design, []);
        const [first] = level.activities;
        const from = positionOf(first!) ?? { x: 0, y: 0 };
        const places = new Map([[first!.id, { x: Math.round(from.x) + 20, y: Math.round(from.y) }]]);
        const moved = perform(historyOf(design), move(design, level, places)).design;
        const saved = await host.call('POST', ROUTE, JSON.stringify({ model: moved, publish: false }));
        expect([id, saved.status]).toEqual([id, 200]);
        const after = parseExactly(await exported()) as Design;
        const there = levelAt(after, []).activities.find((activity) => activity.id === first!.id)!;
        expect([id, positionOf(there)]).toEqual([id, places.get(first!.id)]);
        // The old place in its place again: all of the rest, to the byte.
        const old = parseExactly(before) as Design;
        const { metadata } = levelAt(old, []).activities.find((activity) => activity.id === first!.id)!;
        const at = activityPath(levelAt(after, []), first!.id)!;
        const back = perform(
          historyOf(after),
          edit(after, at, () => ({ ...there, metadata })),
        ).design;
        expect(JSON.stringify(contentOf(back))).toBe(JSON.stringify(contentOf(old)));
        compared += 1;
      }
      expect(compared).toBeGreaterThanOrEqual(40);
    });
  },
);
