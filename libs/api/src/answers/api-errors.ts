import { WaymarkError } from '@waymark/core';

/** Messages by member: the key is the member's path in camelCase, `generalErrors`, or `serializerErrors`. */
export type MemberErrors = Readonly<Record<string, readonly string[]>>;

export const GENERAL = 'generalErrors';
/** Key of errors in the JSON text itself, where no member can be named. */
export const SERIALIZER = 'serializerErrors';

/** The request is malformed, or its members contradict each other. */
export class InvalidRequestError extends WaymarkError {
  readonly code = 'WM8001';
  readonly errors: MemberErrors;

  constructor(errors: MemberErrors | string, options?: { cause?: unknown }) {
    const byMember = typeof errors === 'string' ? { [GENERAL]: [errors] } : errors;
    super(Object.values(byMember).flat().join(' '), options);
    this.errors = byMember;
  }

  /** An error of one member. @param path empty: the document as a whole */
  static at(path: string, message: string): InvalidRequestError {
    return new InvalidRequestError({ [path === '' ? SERIALIZER : path]: [message] });
  }
}

/** The body is needed as JSON (or as a form) and is something else, or is not declared at all. */
export class UnsupportedMediaTypeError extends WaymarkError {
  readonly code = 'WM8002';
  /** @param hint a sentence on what to send */
  constructor(
    readonly contentType: string | undefined,
    hint = 'Send JSON with "Content-Type: application/json".',
  ) {
    super(
      `The content type ${contentType === undefined ? 'is missing' : `"${contentType}" is not supported`}. ${hint}`,
    );
  }
}

/** What the URL names does not exist. */
export class ResourceNotFoundError extends WaymarkError {
  readonly code = 'WM8003';
  constructor(what: string, id: string) {
    super(`There is no ${what} "${id}". Check its id; it may have been deleted.`);
  }
}

/** A page by number that is too far behind: the database would have to read all rows before it. */
export class PageTooDeepError extends WaymarkError {
  readonly code = 'WM1066';
  constructor(
    readonly skipped: number,
    readonly limit: number,
  ) {
    super(
      `The page begins after ${skipped} rows; the limit is ${limit}. Narrow the filter, or page with 'after': the 'next' of the previous page.`,
    );
  }
}

/** No credentials, or invalid ones. */
export class UnauthenticatedError extends WaymarkError {
  readonly code = 'WM8004';
  /** @param challenge value of the `WWW-Authenticate` header */
  constructor(
    /** Value of the header `WWW-Authenticate`. */
    readonly challenge: string,
  ) {
    super(
      'The request needs valid credentials: log in and send the access token (Authorization: Bearer …), or send an API key ' +
        '(Authorization: ApiKey …).',
    );
  }
}

/** Too many wrong passwords or keys, of one user or from one address. */
export class TooManyLoginsError extends WaymarkError {
  readonly code = 'WM8011';
  constructor(readonly retryAfterSeconds: number) {
    super(`Too many failed logins. Try again in ${retryAfterSeconds} s.`);
  }
}

/** The credentials are valid, but do not allow this. */
export class ForbiddenError extends WaymarkError {
  readonly code = 'WM8005';
}

export class BodyTooLargeError extends WaymarkError {
  readonly code = 'WM8006';
  /** @param hint a sentence on how to raise the limit */
  constructor(
    readonly limitBytes: number,
    hint = '',
  ) {
    super(`The request body is larger than ${limitBytes} bytes.${hint}`);
  }
}

/** A definition in a file is larger than the server takes. */
export class DefinitionBytesError extends WaymarkError {
  readonly code = 'WM1060';
  constructor(bytes: number, limitBytes: number) {
    super(
      `A definition has ${bytes} bytes, which is more than ${limitBytes}. Nothing was imported: split the workflow, or raise ` +
        "'definitionBytes' of WorkflowApiModule.",
    );
  }
}

/** The request is valid, but the state of its target does not allow it. */
export class ConflictError extends WaymarkError {
  readonly code = 'WM8007';

  /** @param members of the answer, beside the code and the message: those that Elsa's clients read */
  constructor(
    message: string,
    readonly members: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
  }
}

/** The limit of clients that follow changes at this node is reached, in all or for one user. */
export class TooManyLiveClientsError extends WaymarkError {
  readonly code = 'WM8025';
  constructor(
    readonly limit: number,
    option: 'liveClients' | 'liveClientsPerUser',
  ) {
    super(
      `${limit} clients ${option === 'liveClients' ? '' : 'of this user '}already follow changes at this node. Close some, try again ` +
        `later or at another node, or raise the option '${option}' of WorkflowApiModule.`,
    );
  }
}

/** The limit of connections to Elsa's hub at this node is reached, in all or for one user. */
export class TooManyConnectionsError extends WaymarkError {
  readonly code = 'WM9080';
  constructor(
    readonly limit: number,
    option: 'connections' | 'connectionsPerUser',
  ) {
    super(
      `The hub already has ${limit} connections ${option === 'connections' ? 'at this node' : 'of this user'}. Close some, try again ` +
        `later, or raise the option 'hub.${option}' of WorkflowApiModule.`,
    );
  }
}

/** A client of the hub sent an invalid message, or too many of them. */
export class HubMessageError extends WaymarkError {
  readonly code = 'WM9081';
}

/** The runtime of this node is shutting down and cannot be controlled any more. */
export class RuntimeDrainingError extends WaymarkError {
  readonly code = 'WM8010';

  /** @param members likewise */
  constructor(
    message: string,
    readonly members: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
  }
}
