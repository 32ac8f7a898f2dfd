// One process of the application that is deployed: a release of it, on the database of all.
import 'reflect-metadata';
import { Controller, Param, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { IEventPublisher, WorkflowModule } from '@waymark/nestjs';
import { TypeOrmPersistence } from '@waymark/typeorm';
import * as activities from './activities.js';
import { release2 } from './next-workflows.js';
import { release1 } from './workflows.js';

export interface DeploymentSettings {
  readonly url: string;
  readonly tablePrefix: string;
  readonly release: 1 | 2;
  /** Number of the deployment. */
  readonly order: number;
}

export type DeploymentCommand = { readonly do: 'url' } | { readonly do: 'close' };

const { url, tablePrefix, release, order } = JSON.parse(process.env.NODE_SETTINGS!) as DeploymentSettings;

@Controller()
class GoOnController {
  constructor(private readonly events: IEventPublisher) {}

  @Post('go-on/:id')
  async goOn(@Param('id') correlationId: string): Promise<{ resumed: number }> {
    const { resumed } = await this.events.publish('go-on', { correlationId });
    return { resumed: resumed.length };
  }
}

const { Audit, Effect } = activities;
const app = await NestFactory.create<NestFastifyApplication>(
  {
    module: class Node {},
    imports: [
      WorkflowModule.forRoot({
        persistence: TypeOrmPersistence.fromUrl(url, { tablePrefix }),
        deployment: { id: `release ${release}, deployment ${order}`, order },
        pollIntervalMs: 100,
        scheduling: { pollIntervalMs: 200 },
      }),
    ],
    controllers: [GoOnController],
    providers: release === 1 ? [Effect, ...release1] : [Effect, Audit, ...release2],
  },
  new FastifyAdapter(),
  { logger: ['error'] },
);
await app.listen(0, '127.0.0.1');
const address = await app.getUrl();

async function serve(command: DeploymentCommand): Promise<unknown> {
  if (command.do === 'url') return address;
  await app.close();
  return undefined;
}

process.on('message', ({ id, command }: { id: number; command: DeploymentCommand }) => {
  serve(command).then(
    (answer) => process.send?.({ id, answer }),
    (error: unknown) => process.send?.({ id, error: String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));
process.send!({ ready: true });
