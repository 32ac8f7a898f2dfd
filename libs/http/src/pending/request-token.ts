import { createHash, createHmac, randomBytes } from 'node:crypto';

/** Where the status of requests lies, below the base path. No template can take it from there. */
const STATUS = /^\/~requests\/([\w-]{1,1200})\.([\w-]{43})(\/answer)?\/?$/;

/** What lets its holder ask for what became of one request. The instance keeps its hash alone. */
export class RequestToken {
  readonly hash: string;

  private constructor(private readonly secret: string) {
    this.hash = hashOf(secret);
  }

  /** A new one: 256 bits that cannot be guessed. */
  static create(): RequestToken {
    return new RequestToken(randomBytes(32).toString('base64url'));
  }

  static newSalt(): string {
    return randomBytes(32).toString('base64url');
  }

  /** That of a request which may come again: the same for the same salt and key, and not to be guessed without both. */
  static derive(salt: string, requestKey: string): RequestToken {
    return new RequestToken(createHmac('sha256', salt).update(`status|${requestKey}`).digest('base64url'));
  }

  /** Path of the status below the base path. */
  path(workflowInstanceId: string): string {
    return `/~requests/${Buffer.from(workflowInstanceId).toString('base64url')}.${this.secret}`;
  }
}

/** A request for the status of another one, or for its answer. */
export interface StatusTarget {
  readonly workflowInstanceId: string;
  /** Hash of the token. */
  readonly token: string;
  /** Below the base path, without `/answer`. */
  readonly path: string;
  readonly wantsAnswer: boolean;
}

/** Undefined for every other path. @param path below the base path */
export function readStatusPath(path: string): StatusTarget | undefined {
  if (!path.startsWith('/~requests/')) return undefined;
  const [, id, secret, answer] = STATUS.exec(path) ?? [];
  if (id === undefined || secret === undefined) return undefined;
  return {
    workflowInstanceId: Buffer.from(id, 'base64url').toString(),
    token: hashOf(secret),
    path: `/~requests/${id}.${secret}`,
    wantsAnswer: answer !== undefined,
  };
}

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url');
