import 'reflect-metadata';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { Logger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { API_EXPOSED_HEADERS, API_METHODS } from '@waymark/api';
import { isWaymarkError } from '@waymark/core';
import { LOOPBACK_ORIGIN, refuseForeignPages } from './answers/foreign-pages.js';
import { parseJsonBody } from './answers/json-body.js';
import { AppModule } from './app.module.js';
import { HostLogger } from './logging/host-logger.js';
import { endOnSignals } from './shutdown/end-on-signals.js';
import { type HostSettings, readSettings, SettingsError } from './settings/host-settings.js';

const SQLITE = 'sqlite:';

async function start(settings: HostSettings): Promise<void> {
  if (settings.databaseUrl.startsWith(SQLITE))
    mkdirSync(path.dirname(settings.databaseUrl.slice(SQLITE.length)), { recursive: true });
  // Clients of the reference write paths in any casing, with or without a slash at the end.
  // Ids of 255 characters, of which each may be written as twelve: Fastify alone finds no route for more than a hundred.
  const adapter = new FastifyAdapter({
    routerOptions: { caseSensitive: false, ignoreTrailingSlash: true, maxParamLength: 4096 },
  });
  const isOpen = settings.users.length === 0;
  if (isOpen) refuseForeignPages(adapter);
  // Loaded for black-box tests only: it is no dependency of the host otherwise.
  const testClock = settings.testClock ? new (await import('@waymark/testing')).ShiftedClock() : undefined;
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.forRoot(settings, testClock), adapter, {
    logger: new HostLogger(),
    abortOnError: false,
  });
  app.useBodyParser('application/json', {}, parseJsonBody);
  // All verbs of the API: left alone, the adapter lets browsers do no more than GET and POST.
  app.enableCors({
    origin: isOpen ? LOOPBACK_ORIGIN : true,
    methods: API_METHODS,
    exposedHeaders: API_EXPOSED_HEADERS,
  });
  endOnSignals(app, settings.shutdownTimeoutMs);
  await app.listen(settings.port, settings.host);
  const logger = new Logger('Waymark');
  logger.log(
    `Listening on ${await app.getUrl()} · API /elsa/api · HTTP workflows /workflows · database ${settings.databaseUrl.split(':')[0]}`,
  );
  if (settings.redisUrl) logger.warn('REDIS_URL is set, but nothing uses Redis yet: nodes meet in the database.');
  if (isOpen)
    logger.warn(
      'No WAYMARK_API_KEY and no WAYMARK_USERS: the management API is open, therefore only this machine can reach it.',
    );
}

/** Of the system's errors. */
const ADVICE: Readonly<Record<string, string>> = {
  EADDRINUSE: 'Something listens there already: end it, or set PORT.',
  EADDRNOTAVAIL: 'HOST is no address of this machine.',
  ENOTFOUND: 'HOST is no name of this machine.',
  EACCES: 'This user may not do that: choose a PORT above 1023, or a folder that can be written in DATABASE_URL.',
  EEXIST: 'DATABASE_URL must name a file in a folder.',
  ENOTDIR: 'DATABASE_URL must name a file in a folder.',
  EROFS: 'DATABASE_URL must name a file in a folder that can be written.',
};

/** What the operator can mend is told in one sentence; `undefined` for everything else. */
function sentenceFor(error: unknown): string | undefined {
  if (error instanceof SettingsError || isWaymarkError(error)) return `${error.code}: ${error.message}`;
  const { code, message } = (error ?? {}) as { code?: unknown; message?: string };
  return typeof code === 'string' && code in ADVICE ? `${message}. ${ADVICE[code]}` : undefined;
}

try {
  await start(readSettings(process.env));
} catch (error) {
  const sentence = sentenceFor(error);
  if (sentence === undefined) throw error;
  process.stderr.write(`${sentence}\n`);
  // Not by exit code alone: what was opened on the way, such as the database, would keep the process alive.
  process.exit(1);
}
