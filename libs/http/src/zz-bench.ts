import { Controller, Get, Module, Res } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { IWorkflowDefinitionPublisher, IWorkflowStarter, RUNTIME_OPTIONS, resolveRuntimeOptions, WorkflowRuntimeModule } from '@waymark/runtime';
import { HTTP_OPTIONS, httpParts, HttpRequestContext, resolveHttpOptions } from './index.js';

class Stub { async start(request: any) {
  const [[, http]] = request.transient as [[unknown, HttpRequestContext]];
  http.response.write({ status: 200, headers: [['Content-Type', 'text/plain']], body: Buffer.from('Hello') });
  return { cannotStart: false, result: { incidents: [] } };
} }
@Controller('bare') class Bare { @Get() bare() { return 'Hello'; } @Get('res') res(@Res() r: any) { r.header('Content-Type','text/plain').send(Buffer.from('Hello')); } }
const mode = process.argv[2];
const { providers, controllers } = httpParts();
@Module({ imports: [WorkflowRuntimeModule.compose({ providers: [
  { provide: RUNTIME_OPTIONS, useValue: resolveRuntimeOptions({ journal: mode !== 'nojournal' }) }, { provide: HTTP_OPTIONS, useValue: resolveHttpOptions({}) }, ...providers,
  ...(mode === 'stub' ? [{ provide: IWorkflowStarter, useClass: Stub as never }] : []),
] })], controllers: [...controllers, Bare] })
class App {}
const app = await NestFactory.create(App, new FastifyAdapter() as never, { logger: ['error', 'warn'] });
await app.listen(0, '127.0.0.1');
const lit = (value: unknown, typeName = 'String') => ({ typeName, expression: { type: 'Literal', value } });
await app.get(IWorkflowDefinitionPublisher).saveAndPublish({ definitionId: 'x', root: { type: 'Elsa.Sequence', id: 'S', version: 1, activities: [
  { type: 'Elsa.HttpEndpoint', id: 'In', version: 1, customProperties: { canStartWorkflow: true }, path: lit('hello') },
  { type: 'Elsa.SetName', id: 'N', version: 1, value: lit('n') },
  { type: 'Elsa.WriteHttpResponse', id: 'Out', version: 1, content: lit('Hello', 'Object') } ] } as never });
console.log((app.getHttpServer().address() as any).port);
