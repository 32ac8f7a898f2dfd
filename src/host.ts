import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { WorkflowClock } from '@waymark/runtime';
import { mountElsaStudio } from '@waymark/api';
import { enableCors } from './answers/cross-origin.js';
import { refuseForeignPages } from './answers/foreign-pages.js';
import { parseJsonBody } from './answers/json-body.js';
import { AppModule } from './app.module.js';
import { HostLogger } from './logging/host-logger.js';
import type { HostSettings } from './settings/host-settings.js';
import { STUDIO_PATH } from './studio-path.js';

const MINUTE_MS = 60_000;
/** Within which bodies have to arrive, unless the settings say otherwise. */
const BODY_MS = 5 * MINUTE_MS;

/** Until a request has arrived. Fastify has no end to it, and where a route does not read the body nothing else has. */
const arrivalMs = ({ http, api }: HostSettings['limits']): number =>
  // Those that are read are answered 408 before.
  Math.max(http.bodyTimeoutMs ?? BODY_MS, api.bodyTimeoutMs ?? BODY_MS) + MINUTE_MS;

/** As the management API needs it. */
export const createAdapter = ({ trustProxy, limits }: HostSettings): FastifyAdapter =>
  // Clients of the reference write paths in any casing, with or without a slash at the end.
  // Ids of 255 characters, of which each may be written as twelve: Fastify alone finds no route for more than a hundred.
  new FastifyAdapter({
    // By number only as a function: the adapter's types know no other way.
    trustProxy: typeof trustProxy === 'number' ? (_address: string, hop: number) => hop < trustProxy : trustProxy,
    requestTimeout: arrivalMs(limits),
    routerOptions: { caseSensitive: false, ignoreTrailingSlash: true, maxParamLength: 4096 },
  });

/** Returns true if there are no credentials, and everybody who reaches the host may do everything. */
export const isOpen = ({ users }: HostSettings): boolean => users.length === 0;

/**
 * The reference host, which does not listen yet.
 * @param adapter one that has no routes yet
 * @param testClock for black-box tests: time that `POST /test/clock` moves on
 */
export async function createHost(
  settings: HostSettings,
  adapter = createAdapter(settings),
  testClock?: WorkflowClock,
): Promise<NestFastifyApplication> {
  if (isOpen(settings)) refuseForeignPages(adapter);
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.forRoot(settings, testClock), adapter, {
    logger: new HostLogger(),
    abortOnError: false,
  });
  app.useBodyParser('application/json', {}, parseJsonBody);
  enableCors(app, isOpen(settings));
  mountElsaStudio(app, { alterationPage: `${STUDIO_PATH}/instances/{id}` });
  return app;
}
