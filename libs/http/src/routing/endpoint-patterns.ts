import { Injectable } from '@nestjs/common';
import { BookmarkPatternReader } from '@waymark/runtime/adapter';
import { HTTP_ENDPOINT, readEndpointPayload } from '../endpoint/endpoint-payload.js';

/** Doubled ones stand for a brace in the path of a request, whose hash is another one. */
const BRACES = /[{}]/;

/** A literal path is found by the hash of the request's; a path with parameters must be known before (W6). */
@Injectable()
export class EndpointPatterns extends BookmarkPatternReader {
  readonly names = [HTTP_ENDPOINT];

  isPattern(payload: unknown): boolean {
    return BRACES.test(readEndpointPayload(payload)?.path ?? '');
  }
}
