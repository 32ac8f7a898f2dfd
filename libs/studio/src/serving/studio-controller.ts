import type { IncomingHttpHeaders } from 'node:http';
import {
  applyDecorators,
  Controller,
  Get,
  Inject,
  Req,
  Res,
  SetMetadata,
  type Type,
  UseGuards,
  VERSION_NEUTRAL,
} from '@nestjs/common';
import type { ResolvedStudioOptions } from '../module/studio-options.js';
import { type StudioAnswer, StudioPages } from './studio-pages.js';

interface AnyRequest {
  readonly headers: IncomingHttpHeaders;
  readonly originalUrl: string;
}

interface FastifyReply {
  code(status: number): FastifyReply;
  headers(headers: Readonly<Record<string, string>>): FastifyReply;
  send(body?: Buffer | string): unknown;
}

interface ExpressResponse {
  status(code: number): ExpressResponse;
  set(headers: Readonly<Record<string, string>>): ExpressResponse;
  end(body?: Buffer | string): unknown;
}

/** A class for each application: its path and decorators are known only when the module is set up. */
export function studioController({ path, guards, decorators }: ResolvedStudioOptions): Type {
  @applyDecorators(...(guards.length > 0 ? [UseGuards(...guards)] : []), ...decorators)
  // Pages are no part of an API: as `ApiExcludeController` of `@nestjs/swagger` writes it.
  @SetMetadata('swagger/apiExcludeController', [true])
  @Controller({ path, version: VERSION_NEUTRAL })
  class StudioController {
    constructor(@Inject(StudioPages) private readonly pages: StudioPages) {}

    async get(@Req() { headers, originalUrl }: AnyRequest, @Res() reply: FastifyReply | ExpressResponse) {
      const answer = await this.pages.answer({
        url: originalUrl,
        acceptEncoding: headers['accept-encoding']?.toString(),
        ifNoneMatch: headers['if-none-match'],
      });
      send(reply, answer);
    }
  }
  return StudioController;
}

/**
 * Gives the controller its routes, before Nest reads them.
 * @param wildcard for all paths below, as the adapter writes it
 */
export function mapRoutes(controller: Type, wildcard: '*' | '{*path}'): void {
  const { prototype } = controller as { prototype: object };
  Get(['', wildcard])(prototype, 'get', Object.getOwnPropertyDescriptor(prototype, 'get')!);
}

/** By hand: the adapters would write bytes, which are an object, as JSON. */
function send(reply: FastifyReply | ExpressResponse, { status, headers, body }: StudioAnswer): void {
  if ('code' in reply) reply.code(status).headers(headers).send(body);
  else {
    if (body !== undefined) reply.set({ 'content-length': String(Buffer.byteLength(body)) });
    reply.status(status).set(headers).end(body);
  }
}
