import { Inject, Injectable } from '@nestjs/common';
import { WorkflowClock } from '@waymark/runtime';
import { createHmac } from 'node:crypto';
import { API_OPTIONS, type ResolvedApiOptions } from '../module/api-options.js';
import { sameBytes } from '../identity/json-web-token.js';

/** Resumes one bookmark. */
export interface BookmarkToken {
  /** Id of the bookmark. */
  readonly bookmarkId: string;
  /** Id of the workflow instance. */
  readonly workflowInstanceId: string;
}

/** Triggers an event, for one instance if it is named. */
export interface EventToken {
  /** Name of the event. */
  readonly eventName: string;
  /** Id of the workflow instance. */
  readonly workflowInstanceId?: string;
}

interface Payloads {
  bookmark: BookmarkToken;
  event: EventToken;
}

type Purpose = keyof Payloads;

const TIME_LIMITED = 'v1.tl';
const NEVER_ENDING = 'v1.ne';

/**
 * Makes and reads the tokens of URLs that need no other credentials. They are signed with their purpose, so a token for an
 * event cannot resume a bookmark (in Elsa it can).
 */
@Injectable()
export class TokenService {
  private readonly key: string;

  constructor(
    /** Options of the API, with their defaults. */
    @Inject(API_OPTIONS) options: ResolvedApiOptions,
    private readonly clock: WorkflowClock,
  ) {
    this.key = options.urlTokenKey;
  }

  /** Makes a token that resumes one bookmark. @param expiresAt @default never */
  forBookmark(payload: BookmarkToken, expiresAt?: Date): string {
    return this.issue('bookmark', payload, expiresAt);
  }

  /** Makes a token that publishes one event. @param expiresAt @default never */
  forEvent(payload: EventToken, expiresAt?: Date): string {
    return this.issue('event', payload, expiresAt);
  }

  /** Reads a token of a bookmark; undefined if it is invalid, has another purpose, or has expired. */
  readBookmark(token: string): BookmarkToken | undefined {
    return this.read('bookmark', token);
  }

  /** Reads a token of an event; undefined if it is invalid or has expired. */
  readEvent(token: string): EventToken | undefined {
    return this.read('event', token);
  }

  private issue<P extends Purpose>(purpose: P, payload: Payloads[P], expiresAt: Date | undefined): string {
    const body = Buffer.from(JSON.stringify(expiresAt ? { ...payload, exp: expiresAt.getTime() } : payload)).toString(
      'base64url',
    );
    const text = `${expiresAt ? TIME_LIMITED : NEVER_ENDING}.${body}`;
    return `${text}.${this.sign(purpose, text).toString('base64url')}`;
  }

  private read<P extends Purpose>(purpose: P, token: string): Payloads[P] | undefined {
    const dot = token.lastIndexOf('.');
    const text = token.slice(0, Math.max(0, dot));
    if (!sameBytes(this.sign(purpose, text), Buffer.from(token.slice(dot + 1), 'base64url'))) return undefined;
    const [version, lifetime, body = ''] = text.split('.');
    const { exp, ...payload } = JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as Payloads[P] & {
      exp?: number;
    };
    switch (`${version}.${lifetime}`) {
      case NEVER_ENDING:
        return payload as Payloads[P];
      case TIME_LIMITED:
        return exp !== undefined && this.clock.now() < exp ? (payload as Payloads[P]) : undefined;
      default:
        return undefined;
    }
  }

  private sign(purpose: Purpose, text: string): Buffer {
    return createHmac('sha256', this.key).update(`waymark url token|${purpose}|${text}`).digest();
  }
}
