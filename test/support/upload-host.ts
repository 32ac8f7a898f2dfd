// An application with one endpoint for uploads, as a process of its own: its memory is measured, and it is killed.
import 'reflect-metadata';
import { createInterface } from 'node:readline';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { EventEmitterModule } from '@nestjs/event-emitter';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { ScheduleModule } from '@nestjs/schedule';
import { HttpEndpoint, WriteHttpResponse } from '@waymark/http';
import {
  activity,
  js,
  sequence,
  trigger,
  Workflow,
  type WorkflowBuilder,
  type WorkflowDefinitionBuilder,
  WorkflowModule,
} from '@waymark/nestjs';

const [adapter, directory] = process.argv.slice(2);

/** Tells name, type and size of a file, of which it reads nothing. */
@Workflow({ id: 'measure' })
class Measure implements WorkflowBuilder {
  build(w: WorkflowDefinitionBuilder): void {
    const file = w.variable('file', { type: 'Object', storage: 'memory' });
    w.root(
      sequence([
        trigger(
          HttpEndpoint,
          { path: 'measure', supportedMethods: ['POST'], requestSizeLimit: 200_000_000 },
          { id: 'uploaded', outputs: { file } },
        ),
        activity(
          WriteHttpResponse,
          { content: js('({ name: getFile().filename, type: getFile().contentType, size: getFile().length })') },
          { id: 'answer' },
        ),
      ]),
    );
  }
}

@Module({
  imports: [
    EventEmitterModule.forRoot(),
    ScheduleModule.forRoot(),
    WorkflowModule.forRoot({ http: { uploadBytes: 200_000_000, uploadDirectory: directory! } }),
  ],
  providers: [Measure],
})
class App {}

const app = await NestFactory.create(App, adapter === 'express' ? new ExpressAdapter() : new FastifyAdapter(), {
  logger: ['error'],
  abortOnError: false,
});
await app.listen(0, '127.0.0.1');
const say = (line: string): void => void process.stdout.write(`${line}\n`);
say(String((app.getHttpServer().address() as { port: number }).port));
// Each line that comes is answered by the most memory there was, in bytes.
createInterface({ input: process.stdin }).on('line', () => say(String(process.resourceUsage().maxRSS * 1024)));
