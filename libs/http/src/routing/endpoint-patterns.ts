import { Injectable } from '@nestjs/common';
import { BookmarkPatternReader } from '@waymark/runtime/adapter';
import { HTTP_ENDPOINT, readEndpointPayload } from '../endpoint/endpoint-payload.js';

/** A literal path is found by the hash of the request's; a path with parameters must be known before (W6). */
@Injectable()
export class EndpointPatterns extends BookmarkPatternReader {
  readonly names = [HTTP_ENDPOINT];

  isPattern(payload: unknown): boolean {
    return readEndpointPayload(payload)?.path.includes('{') ?? false;
  }
}
