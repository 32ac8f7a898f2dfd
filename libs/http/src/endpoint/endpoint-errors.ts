import { WaymarkError } from '@waymark/core';
import type { Rejection } from '../requests/rejection.js';

/** The path of an endpoint leads nowhere. */
export class EndpointPathError extends WaymarkError {
  readonly code = 'WM5004';
  constructor(readonly path: string) {
    super(`The path "${path}" contains "//", which no request can reach. Correct the Path input of the HTTP Endpoint.`);
  }
}

/** An endpoint that runs already cannot take its request. */
export class RequestRejectedError extends WaymarkError {
  readonly code = 'WM5005';
  readonly status: number;
  constructor(rejection: Rejection) {
    super(`The request was rejected with status ${rejection.status}: ${String(rejection.body.message)}`);
    this.status = rejection.status;
  }
}
