import { Inject, Injectable } from '@nestjs/common';
import { WorkflowClock } from '@waymark/runtime';
import { createHmac, randomBytes } from 'node:crypto';
import { sameBytes } from '../identity/json-web-token.js';
import { API_OPTIONS, type ResolvedApiOptions } from '../module/api-options.js';

/** Time from the negotiation to the first request of the connection. */
const LIFETIME_MS = 60_000;

/**
 * Tokens of negotiated connections. They are signed, so that nothing is stored for clients that negotiate and never connect, and
 * any node with the same key accepts them.
 */
@Injectable()
export class ConnectionTokens {
  private readonly key: string;

  constructor(
    @Inject(API_OPTIONS) options: ResolvedApiOptions,
    private readonly clock: WorkflowClock,
  ) {
    this.key = options.urlTokenKey;
  }

  issue(owner: string): string {
    const text = `${randomBytes(16).toString('base64url')}.${(this.clock.now() + LIFETIME_MS).toString(36)}`;
    return `${text}.${this.sign(text, owner).toString('base64url')}`;
  }

  /** Whether the token was issued to that owner and has not expired. */
  isValid(token: string, owner: string): boolean {
    const [id, until = '', signature = '', ...more] = token.split('.');
    if (more.length > 0) return false;
    const isGenuine = sameBytes(this.sign(`${id}.${until}`, owner), Buffer.from(signature, 'base64url'));
    return isGenuine && this.clock.now() < parseInt(until, 36);
  }

  private sign(text: string, owner: string): Buffer {
    return createHmac('sha256', this.key).update(`waymark hub connection|${text}|${owner}`).digest();
  }
}
