import 'reflect-metadata';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { Logger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { API_EXPOSED_HEADERS } from '@waymark/api';
import { AppModule } from './app.module.js';
import { HostLogger } from './logging/host-logger.js';
import { type HostSettings, readSettings, SettingsError } from './settings/host-settings.js';

const SQLITE = 'sqlite:';

async function start(settings: HostSettings): Promise<void> {
  if (settings.databaseUrl.startsWith(SQLITE))
    mkdirSync(path.dirname(settings.databaseUrl.slice(SQLITE.length)), { recursive: true });
  // Clients of the reference write paths in any casing, with or without a slash at the end.
  const adapter = new FastifyAdapter({ routerOptions: { caseSensitive: false, ignoreTrailingSlash: true } });
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.forRoot(settings), adapter, {
    logger: new HostLogger(),
    abortOnError: false,
  });
  app.enableCors({ origin: true, exposedHeaders: API_EXPOSED_HEADERS });
  app.enableShutdownHooks();
  await app.listen(settings.port, settings.host);
  const logger = new Logger('Waymark');
  logger.log(
    `Listening on ${await app.getUrl()} · API /elsa/api · HTTP workflows /workflows · database ${settings.databaseUrl.split(':')[0]}`,
  );
  if (settings.redisUrl) logger.warn('REDIS_URL is set, but nothing uses Redis yet: nodes meet in the database.');
  if (!settings.apiKey)
    logger.warn('No WAYMARK_API_KEY: the management API is open, therefore only this machine can reach it.');
}

try {
  await start(readSettings(process.env));
} catch (error) {
  if (!(error instanceof SettingsError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
