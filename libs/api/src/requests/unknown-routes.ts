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
    handler: (request: { url: string }, reply: FastifyReply) => unknown;
  }): unknown;
}

const ANSWERS_UNKNOWN = Symbol('waymark.api.answers-unknown');

/**
 * Whether a handler of Express is the one below. Routes behind it, by which Nest answers 404 outside of the global prefix, get no
 * requests for the API.
 */
export const answersUnknown = (handle: object): boolean => ANSWERS_UNKNOWN in handle;

/** @param verbs that the path takes */
const answerOf = (verbs: readonly string[]): { readonly code: string; readonly message: string } => ({
  code: 'WM8003',
  message: verbs.length > 0 ? `This path supports ${verbs.join(', ')} only.` : 'The API does not have this path.',
});

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
        handler: ({ url }, reply) => {
          const verbs = this.routes.verbsOf(url);
          return (verbs.length > 0 ? reply.code(405).header('allow', verbs.join(', ')) : reply.code(404)).send(
            answerOf(verbs),
          );
        },
      });
    else {
      const answer: ExpressHandler = ({ originalUrl }, response) => {
        const verbs = this.routes.verbsOf(originalUrl);
        if (verbs.length > 0) response.setHeader('allow', verbs.join(', '));
        response.statusCode = verbs.length > 0 ? 405 : 404;
        response.setHeader('content-type', 'application/json; charset=utf-8');
        response.end(JSON.stringify(answerOf(verbs)));
      };
      httpAdapter.getInstance<ExpressLike>().use(this.path.base, Object.assign(answer, { [ANSWERS_UNKNOWN]: true }));
    }
  }
}
