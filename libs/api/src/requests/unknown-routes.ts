import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiPath } from './api-path.js';
import { ApiRoutes } from './api-routes.js';

type ExpressHandler = (request: IncomingMessage & { originalUrl: string }, response: ServerResponse) => void;

interface ExpressLike {
  use(path: string, handler: ExpressHandler): unknown;
}

interface FastifyReply {
  code(status: number): FastifyReply;
  header(name: string, value: string): FastifyReply;
  send(body: object): unknown;
}

interface FastifyLike {
  route(options: {
    method: readonly string[];
    url: string;
    handler: (request: { method: string; url: string }, reply: FastifyReply) => unknown;
  }): unknown;
}

const ANSWERS_UNKNOWN = Symbol('waymark.api.answers-unknown');

/**
 * Whether a handler of Express is the one below. Routes behind it, by which Nest answers 404 outside of the global prefix, get no
 * requests for the API.
 */
export const answersUnknown = (handle: object): boolean => ANSWERS_UNKNOWN in handle;

interface Refusal {
  readonly status: number;
  /** For `Allow`. */
  readonly verbs?: string;
  readonly body: { readonly code: string; readonly message: string };
}

const notFound = (message: string): Refusal => ({ status: 404, body: { code: 'WM8003', message } });

/**
 * A path that takes the method was written in a way that the router does not read: that of Express takes no encoded letters, that of
 * Fastify no other case, unless its options say so.
 * @param verbs that the path takes
 */
function refusalOf(verbs: readonly string[], method: string): Refusal {
  if (verbs.length === 0) return notFound('The API does not have this path.');
  if (verbs.includes(method === 'HEAD' ? 'GET' : method))
    return notFound(
      'The API does not have this path in this spelling. Write it in lower case as documented, without encoded letters and without a slash at its end.',
    );
  const allowed = verbs.join(', ');
  return { status: 405, verbs: allowed, body: { code: 'WM8003', message: `This path supports ${allowed} only.` } };
}

/** Preflights are left to the handler of CORS. */
const VERBS = ['DELETE', 'GET', 'PATCH', 'POST', 'PUT'];

/**
 * Answers requests below the prefix of the API that match no route: 405 with the verbs of a path that exists, else 404. Mounted
 * after all routes of the application, so that it hides none of them that lie below the same prefix.
 */
@Injectable()
export class UnknownRoutes implements OnModuleInit {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly path: ApiPath,
    private readonly routes: ApiRoutes,
  ) {}

  onModuleInit(): void {
    const { httpAdapter } = this.host;
    const type = httpAdapter?.getType?.();
    if (!type) return;
    if (type === 'fastify')
      httpAdapter.getInstance<FastifyLike>().route({
        method: VERBS,
        url: `${this.path.base}/*`,
        handler: ({ method, url }, reply) => {
          const { status, verbs, body } = refusalOf(this.routes.verbsOf(url), method);
          if (verbs !== undefined) reply.header('allow', verbs);
          return reply.code(status).send(body);
        },
      });
    else {
      const answer: ExpressHandler = ({ method = 'GET', originalUrl }, response) => {
        const { status, verbs, body } = refusalOf(this.routes.verbsOf(originalUrl), method);
        if (verbs !== undefined) response.setHeader('allow', verbs);
        response.statusCode = status;
        response.setHeader('content-type', 'application/json; charset=utf-8');
        response.end(JSON.stringify(body));
      };
      httpAdapter.getInstance<ExpressLike>().use(this.path.base, Object.assign(answer, { [ANSWERS_UNKNOWN]: true }));
    }
  }
}
