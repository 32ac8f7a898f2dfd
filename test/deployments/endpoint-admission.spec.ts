import { afterEach, describe, expect, it } from '@jest/globals';
import { type INestApplication, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import {
  activity,
  inline,
  MemoryPersistence,
  trigger,
  Workflow,
  type WorkflowBuilder,
  type WorkflowDefinitionBuilder,
  WorkflowModule,
} from '@waymark/nestjs';
import { HttpEndpoint, WriteHttpResponse } from '@waymark/http';
import { VirtualClock } from '@waymark/testing';

interface Admission {
  readonly authorize?: boolean;
  readonly policy?: string;
}

const POLICIES = { staff: () => true, partners: () => true };
const nodes: INestApplication[] = [];
let clock: VirtualClock;
let isLoggedIn: boolean;
let ran: number[];

afterEach(async () => {
  for (const app of nodes.splice(0)) await app.close();
});

function workflow(release: number, admission: Admission): Type<WorkflowBuilder> {
  @Workflow({ id: 'talk' })
  class Talk implements WorkflowBuilder {
    build(w: WorkflowDefinitionBuilder): void {
      w.root([
        trigger(HttpEndpoint, { path: 'talk', supportedMethods: ['GET'], ...admission }),
        inline(() => void ran.push(release)),
        ...Array.from({ length: release - 1 }, () => inline(() => undefined)),
        activity(WriteHttpResponse, { content: () => `release ${release}` }),
      ]);
    }
  }
  return Talk;
}

async function node(persistence: MemoryPersistence, release: number, admission: Admission): Promise<string> {
  const deployment = { id: `release ${release}`, order: release };
  @Module({
    imports: [WorkflowModule.forRoot({ persistence, clock, deployment, http: { policies: POLICIES } })],
    providers: [workflow(release, admission)],
  })
  class NodeModule {}
  const adapter = new FastifyAdapter();
  const app = await NestFactory.create(NodeModule, adapter, { logger: false });
  // As an authentication of the application does.
  if (isLoggedIn)
    adapter.getInstance().addHook('onRequest', (request, _reply, done) => {
      Object.assign(request, { user: { id: 'ann' } });
      done();
    });
  nodes.push(app);
  await app.listen(0, '127.0.0.1');
  return `${await app.getUrl()}/workflows/talk`;
}

describe('a node that lacks the code of the published version', () => {
  it.each<[string, Admission, Admission, number]>([
    ['requires no user either', {}, {}, 200],
    ['has the same policy', { policy: 'staff' }, { policy: 'staff' }, 200],
    ['requires a user, and the published one does not', { authorize: true }, {}, 503],
    ['has a policy, and the published one does not', { policy: 'staff' }, {}, 503],
    ['has another policy', { policy: 'staff' }, { policy: 'partners' }, 503],
    ['requires no user, and the published one does', {}, { authorize: true }, 503],
  ])('starts its own version only if both admit the same requests: it %s', async (_, own, published, status) => {
    isLoggedIn = true;
    expect(await answers(own, published)).toEqual({ fresh: 200, old: status, ran: status === 200 ? [2, 1] : [2] });
  });

  it('requires the user that the published version requires', async () => {
    isLoggedIn = false;
    expect(await answers({}, { authorize: true })).toEqual({ fresh: 401, old: 401, ran: [] });
  });
});

/** Of both nodes, when the old one knows that a newer version is published. */
async function answers(own: Admission, published: Admission) {
  ran = [];
  clock = new VirtualClock();
  const persistence = new MemoryPersistence();
  const old = await node(persistence, 1, own);
  const fresh = await node(persistence, 2, published);
  await clock.advance(1000);
  return { fresh: (await fetch(fresh)).status, old: (await fetch(old)).status, ran };
}
