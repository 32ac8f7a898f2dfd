import { Controller, Get, Module } from '@nestjs/common';
import { RouterModule, type Routes } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { WorkflowApiModule } from '@waymark/api';
import { WorkflowModule } from '@waymark/nestjs';
import { StudioModule } from '@waymark/studio';
import { endpoint, respond } from '../../libs/http/src/serving/testing/endpoint-definitions.js';
import { pairsOf } from '../support/pairs.js';
import { startWhole } from './whole-application.js';

@Controller('own')
class OwnController {
  @Get() own(): string {
    return 'own';
  }
}

@Module({ controllers: [OwnController] })
class OwnModule {}

const REFUSED: [name: string, routes: Routes][] = [
  ['workflows', [{ path: 'app', module: WorkflowModule }]],
  ['workflows among children', [{ path: 'app', children: [OwnModule, WorkflowModule] }]],
  [
    'workflows below a module',
    [{ path: 'app', module: OwnModule, children: [{ path: 'inner', module: WorkflowModule }] }],
  ],
  ['the management API', [{ path: 'app', module: WorkflowApiModule }]],
  ['Studio', [{ path: 'app', children: [StudioModule] }]],
];

describe.each(pairsOf([FastifyAdapter, ExpressAdapter], FastifyAdapter))('RouterModule (%p)', (Adapter) => {
  const start = (routes: Routes, isFirst = false) => {
    const api = WorkflowApiModule.forRoot({ authentication: { apiKeys: ['right'] } });
    const router = RouterModule.register(routes);
    return startWhole(new Adapter(), {
      also: [...(isFirst ? [router] : []), api, StudioModule.forRoot(), OwnModule, ...(isFirst ? [] : [router])],
    });
  };

  it.each(REFUSED.flatMap(([name, routes]) => [true, false].map((isFirst) => [name, isFirst, routes] as const)))(
    'is refused to move %s (before the modules: %s)',
    async (_, isFirst, routes) => {
      await expect(start(routes, isFirst)).rejects.toMatchObject({
        code: 'WM1093',
        message: expect.stringMatching(/ is moved to "\/?app(\/inner)?" by RouterModule, .* instead\.$/),
      });
    },
  );

  it('moves modules of the application, beside ours', async () => {
    const server = await start([
      { path: '/', children: [WorkflowModule] },
      { path: '/elsa/api/', module: WorkflowApiModule },
      { path: 'app', module: OwnModule },
    ]);
    try {
      await server.publish([endpoint('In', 'hello'), respond('Out', 'workflow')]);
      expect((await server.call('GET', '/workflows/hello')).text).toBe('workflow');
      expect((await server.call('GET', '/app/own')).text).toBe('own');
      const headers = { Authorization: 'ApiKey right' };
      expect((await server.call('GET', '/elsa/api/package/version', { headers })).status).toBe(200);
    } finally {
      await server.close();
    }
  });
});
