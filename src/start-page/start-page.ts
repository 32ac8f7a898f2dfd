import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import { DOCS_PATH } from '../docs/docs.controller.js';
import { DOCS_HEADERS, page } from '../docs/docs-page.js';
import { markup } from '../docs/html.js';
import { STUDIO_PATH } from '../studio-path.js';

const HELLO = '/workflows/hello/Ann?from=tour';

const PAGE = page(
  markup`<main>
      <h1>Waymark</h1>
      <p>The reference host is running: durable workflows inside a NestJS application.</p>
      <ul>
        <li><a href="${STUDIO_PATH}">Studio</a>: draw, start, monitor and repair workflows</li>
        <li><a href="${HELLO}">${HELLO}</a>: the first request of the README, answered by the sample workflow <em>hello</em></li>
        <li><a href="${DOCS_PATH}">${DOCS_PATH}</a>: the endpoints of workflows and the management API</li>
        <li><a href="/health">/health</a>: whether the host can do its work</li>
      </ul>
    </main>`,
  'Waymark',
);

/**
 * What a browser shows at the address that the host prints. No controller: an application that is made from this host may have a
 * page of its own there, and Fastify refuses a second route for the same path.
 */
@Injectable()
export class StartPage implements OnApplicationBootstrap {
  constructor(private readonly host: HttpAdapterHost<FastifyAdapter>) {}

  /** All routes of controllers are there, and the host does not listen yet. */
  onApplicationBootstrap(): void {
    const server = this.host.httpAdapter.getInstance();
    const isTaken = ['/', '*', '/*'].some((url) => server.hasRoute({ method: 'GET', url }));
    if (!isTaken) server.get('/', (_request, reply) => reply.headers(DOCS_HEADERS).send(PAGE));
  }
}
