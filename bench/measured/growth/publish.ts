import { EventEmitter2 } from '@nestjs/event-emitter';
import { type DefinitionsChanged, WorkflowEvent } from '@waymark/runtime';
import { StoreFollower } from '@waymark/runtime/adapter';
import { type Stall, StallMeter } from '../../measure/stall-meter.js';
import { growthDefinition, type GrowthKind, growthPath } from '../../workflows/growth.js';
import { publish } from '../application.js';
import { storeDefinitions } from '../store-definitions.js';
import { openNode, serveNode } from './node.js';

/** One node of several: publishes, or follows what another one publishes. */
const node = await openNode();
const { app } = node;
const { definitions } = node.persistence;
const kind = node.argument.more as GrowthKind;
const meter = new StallMeter();

let followed = 0;
const waiting: (() => void)[] = [];
app.get(EventEmitter2, { strict: false }).on(WorkflowEvent.DefinitionsChanged, (event: DefinitionsChanged) => {
  followed = event.changeCounter;
  for (const look of waiting.splice(0)) look();
});

async function requireRoute(change: Change): Promise<void> {
  if (kind !== 'endpoints') return;
  const { statusCode } = await app.inject({
    method: 'GET',
    url: `/workflows/${growthPath(change.number, change.change)}/1`,
  });
  if (statusCode !== 200) throw new Error(`The new route of ${change.number} answers ${statusCode}.`);
}

interface Change {
  readonly number: number;
  readonly change: number;
}

serveNode(node, {
  async seed(count: number): Promise<void> {
    await storeDefinitions(app, count, (number) => growthDefinition(kind, number));
    await app.get(StoreFollower).follow();
  },
  /** The time until the publisher returns, the longest stall meanwhile, and where the store stands afterwards. */
  async publish(change: Change): Promise<{ millis: number; cpuMillis: number; stall: Stall; counter: number }> {
    meter.begin();
    const begin = performance.now();
    const cpuBefore = process.cpuUsage();
    await publish(app, growthDefinition(kind, change.number, change.change));
    const millis = performance.now() - begin;
    const { user, system } = process.cpuUsage(cpuBefore);
    await requireRoute(change);
    return {
      millis,
      cpuMillis: (user + system) / 1000,
      stall: await meter.end(),
      counter: await definitions.changeCounter(),
    };
  },
  watch: () => meter.begin(),
  /** Waits until this node knows that change; its longest stall since `watch`. */
  async follow({ counter, ...change }: Change & { counter: number }): Promise<Stall> {
    while (followed < counter) await new Promise<void>((resolve) => waiting.push(resolve));
    await requireRoute(change);
    return meter.end();
  },
});
