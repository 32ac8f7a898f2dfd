import { Injectable } from '@nestjs/common';
import { BookmarkPatternReader } from '@waymark/runtime/adapter';
import { HTTP_ENDPOINT, readEndpointPayload } from '../endpoint/endpoint-payload.js';
import { RouteTable } from './route-table.js';

/**
 * A path with parameters must be known before a request can be hashed (W6). A literal path is found by the hash of the request,
 * unless there is a template that would take the request: then it must be known, too, to go before it.
 */
@Injectable()
export class EndpointPatterns extends BookmarkPatternReader {
  readonly names = [HTTP_ENDPOINT];

  constructor(private readonly routes: RouteTable) {
    super();
  }

  isPattern(payload: unknown): boolean {
    const endpoint = readEndpointPayload(payload);
    return endpoint !== undefined && (endpoint.path.includes('{') || this.routes.isHidden(endpoint));
  }
}
