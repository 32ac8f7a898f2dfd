import { WaymarkError } from '@waymark/core';
import type { Rejection } from '../requests/rejection.js';

/** Thrown when the path of an endpoint cannot be reached by any request. */
export class EndpointPathError extends WaymarkError {
  readonly code = 'WM5004';
  /** @param fault what it contains, and why no request reaches that @param advice what to do */
  constructor(
    /** The path. */
    readonly path: string,
    fault: string,
    advice: string,
  ) {
    super(`The path "${path}" of the HTTP Endpoint contains ${fault}. ${advice}.`);
  }
}

/** Thrown for an input of an endpoint with which no request could reach it. */
export class EndpointInputError extends WaymarkError {
  readonly code = 'WM5015';
  /** @param fault what is wrong with it @param advice what to do */
  constructor(
    /** Name of the input. */
    readonly input: string,
    fault: string,
    advice: string,
  ) {
    super(`The input ${input} of the HTTP Endpoint ${fault}. ${advice}.`);
  }
}

/**
 * Thrown when a request names an id for its new instance that is in the form of ids which follow from request keys: a caller who guesses
 * a key could prevent the start with it.
 */
export class ReservedInstanceIdError extends WaymarkError {
  readonly code = 'WM5020';
  constructor(
    /** The id that the request names. */
    readonly workflowInstanceId: string,
  ) {
    super(
      `A new instance cannot have the id "${workflowInstanceId}": ids of 16 hexadecimal digits are those of starts with a request key. ` +
        'Choose an id of another form, such as a UUID, or send no id.',
    );
  }
}

/** Thrown when an endpoint that is already running cannot accept its request. */
export class RequestRejectedError extends WaymarkError {
  readonly code = 'WM5005';
  /** HTTP status of the answer. */
  readonly status: number;
  constructor(rejection: Rejection) {
    super(`The request was rejected with status ${rejection.status}: ${String(rejection.body.message)}`);
    this.status = rejection.status;
  }
}
