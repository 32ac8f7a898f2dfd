import 'reflect-metadata';
import { Logger } from '@nestjs/common';
import { isWaymarkError } from '@waymark/core';
import { DOCS_PATH } from './docs/docs.controller.js';
import { createAdapter, createHost, isOpen } from './host.js';
import { surviveClosedLog } from './logging/survive-closed-log.js';
import { endConnections } from './shutdown/end-connections.js';
import { endOnSignals } from './shutdown/end-on-signals.js';
import { type HostSettings, readSettings, SettingsError } from './settings/host-settings.js';
import { STUDIO_PATH } from './studio-path.js';

/**
 * Connections that the system holds until the process takes them, if its own limit (`somaxconn`) allows: Node asks for 511. Of those
 * beyond, clients try again after a second and more, a health check among them.
 */
const BACKLOG = 4096;

async function start(settings: HostSettings): Promise<void> {
  surviveClosedLog();
  // From here on: a host that waits for its database has to end as well, also as the first process of a container.
  const onSignals = endOnSignals(settings.shutdownTimeoutMs);
  // Loaded for black-box tests only: it is no dependency of the host otherwise.
  const testClock = settings.testClock ? new (await import('@waymark/testing')).ShiftedClock() : undefined;
  const app = await createHost(settings, createAdapter(settings), testClock);
  const waitNoLonger = endConnections(app);
  await app.listen({ port: settings.port, host: settings.host, backlog: BACKLOG });
  onSignals.closes(app, waitNoLonger);
  const logger = new Logger('Waymark');
  logger.log(
    `Listening on ${await app.getUrl()} · Studio ${STUDIO_PATH} · API /elsa/api · Docs ${DOCS_PATH} · HTTP workflows /workflows · database ${settings.databaseUrl.split(':')[0]}`,
  );
  if (settings.redisUrl)
    logger.warn('REDIS_URL is set, but nothing uses Redis yet: nodes coordinate through the database.');
  if (isOpen(settings))
    logger.warn(
      'No WAYMARK_API_KEY and no WAYMARK_USERS: the management API is open, therefore only this machine can reach it. ' +
        'Clients that require a login use admin and password.',
    );
}

/** Of the system's errors. */
const ADVICE: Readonly<Record<string, string>> = {
  EADDRINUSE: 'Another process listens there already: stop it, or set PORT.',
  EADDRNOTAVAIL: 'HOST is not an address of this machine.',
  ENOTFOUND: 'HOST is not a name of this machine.',
  EACCES: 'This user may not listen there: choose a PORT above 1023.',
};

/** What the operator can mend is said in one sentence; `undefined` for everything else. */
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
