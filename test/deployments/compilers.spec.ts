import { describe, expect, it } from '@jest/globals';
import { MemoryPersistence } from '@waymark/nestjs';
import { built, COMPILERS, tsc, versionsAfter } from './builds.js';

const ALL = ['approval', 'delivery', 'heartbeat', 'invoice', 'negotiation', 'order', 'receipt', 'reminder', 'shipment'];

describe('workflows of an application', () => {
  it('workflows of an application are the same versions whatever compiles them', async () => {
    const persistence = new MemoryPersistence();
    const expected = ALL.map((id) => `${id} 1 true`);
    for (const [name, compile] of Object.entries(COMPILERS)) {
      const modules = built(compile);
      const { release1 } = modules['./workflows.js']!;
      const found = await versionsAfter(persistence, release1, modules['./activities.js']);
      expect({ name, found }).toEqual({ name, found: expected });
    }
  });

  it('workflows of an application have new versions where they change, with any compiler', async () => {
    const persistence = new MemoryPersistence();
    const first = built(tsc);
    await versionsAfter(persistence, first['./workflows.js']!.release1, first['./activities.js']);
    const changed = ['approval', 'negotiation', 'reminder', 'shipment'];
    const expected = ALL.flatMap((id) => (changed.includes(id) ? [`${id} 1 false`, `${id} 2 true`] : [`${id} 1 true`]));
    for (const [name, compile] of Object.entries(COMPILERS)) {
      const modules = built(compile);
      const { release2 } = modules['./next-workflows.js']!;
      const found = await versionsAfter(persistence, release2, modules['./activities.js']);
      expect({ name, found }).toEqual({ name, found: expected });
    }
  });
});
