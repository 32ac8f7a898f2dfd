import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from './app.module.js';

const adapter = new FastifyAdapter({ forceCloseConnections: true });
const app = await NestFactory.create<NestFastifyApplication>(AppModule, adapter);
app.enableShutdownHooks();
await app.listen(process.env.PORT ?? 3000, '127.0.0.1');
console.log(`Listening on ${await app.getUrl()}`);
