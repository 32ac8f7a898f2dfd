import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { API_EXPOSED_HEADERS } from '@waymark/api';
import { LOOPBACK_ORIGIN } from './foreign-pages.js';

/** Verbs that browsers ask leave for, or use without asking: those of the management API, and all that editors offer for endpoints. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** @param isOpen there are no credentials: then pages of this machine only are let in */
export function enableCors(app: NestFastifyApplication, isOpen: boolean): void {
  const shared = {
    origin: isOpen ? LOOPBACK_ORIGIN : true,
    methods: METHODS,
    exposedHeaders: API_EXPOSED_HEADERS,
  };
  app.enableCors({
    delegator: (request: { raw: IncomingMessage }, done: (error: null, options: object) => void) =>
      // Left alone, the adapter answers 400 to an OPTIONS that is no preflight: it may be meant for a workflow.
      done(null, { ...shared, preflight: isPreflight(request.raw.headers) }),
  } as Parameters<typeof app.enableCors>[0]);
}

const isPreflight = ({ origin, ...headers }: IncomingHttpHeaders): boolean =>
  origin !== undefined && headers['access-control-request-method'] !== undefined;
