import { createHmac, timingSafeEqual } from 'node:crypto';
import { InvalidOptionError } from '@waymark/core';
import { inSlices } from '../requests/hash-in-turns.js';
import type { HttpRequest } from '../requests/http-request.js';

/**
 * How the sender of a webhook signs its requests. `generic`: `X-Signature`, hex of the HMAC of `time.body`, and the time in
 * `X-Signature-Timestamp`.
 */
export type WebhookStyle = 'generic' | 'github' | 'slack' | 'stripe';

/** Options of `webhookSignature`. */
export interface WebhookSignatureOptions {
  /** Signature format of the sender. @default 'generic' */
  readonly style?: WebhookStyle | undefined;
  /** Name of the secret in the providers of the option `secrets`; several while one is replaced. Never the secret itself. */
  readonly secret: string | readonly string[];
  /**
   * How far the time of a signature may differ from the current time, in milliseconds. Signatures of GitHub have no time.
   * @default 300000
   */
  readonly toleranceMs?: number | undefined;
  /** Of `generic`: the header with the signature. @default 'X-Signature' */
  readonly header?: string | undefined;
  /**
   * Of `generic`: the header with the time, in seconds since 1970; false: only the body is signed, so an intercepted request
   * can be replayed at any time. @default 'X-Signature-Timestamp'
   */
  readonly timestampHeader?: string | false | undefined;
  /** Of `generic`. @default 'sha256' */
  readonly algorithm?: 'sha256' | 'sha384' | 'sha512' | undefined;
  /** Of `generic`. @default 'hex' */
  readonly encoding?: 'base64' | 'hex' | undefined;
  /** Of `generic`: what stands before the signature in its header, such as `sha256=`. @default '' */
  readonly prefix?: string | undefined;
}

/** Why a request is refused. */
export type SignatureFault = 'missing' | 'not valid' | 'too old or too new';

/** The signatures that a request brings, and what they are to sign. */
interface Signed {
  readonly signatures: readonly Buffer[];
  readonly before: string;
  /** In seconds. */
  readonly time?: number;
}

const refusal = (option: string, requirement: string, given: string) =>
  new InvalidOptionError('webhookSignature()', option, requirement, given);

const NAME = /^[!#$%&'*+.^_`|~\w-]+$/;

/** A policy of endpoints in place of a user: the body is signed with a secret that sender and host share. */
export class WebhookSignature {
  /** Signature format of the sender. */
  readonly style: WebhookStyle;
  /** Names of the secrets that may have signed a request. */
  readonly secrets: readonly string[];
  private readonly toleranceMs: number;
  private readonly algorithm: string;
  private readonly encoding: 'base64' | 'hex';
  private readonly header: string;
  private readonly timestampHeader: string | undefined;
  private readonly prefix: string;

  /** @throws InvalidOptionError (`WM1090`) */
  constructor(options: WebhookSignatureOptions) {
    const { style = 'generic', secret, toleranceMs = 300_000, timestampHeader = 'X-Signature-Timestamp' } = options;
    this.style = style;
    this.secrets = typeof secret === 'string' ? [secret] : secret;
    this.toleranceMs = toleranceMs;
    this.algorithm = options.algorithm ?? 'sha256';
    this.encoding = options.encoding ?? 'hex';
    this.header = (options.header ?? 'X-Signature').toLowerCase();
    this.timestampHeader = timestampHeader === false ? undefined : timestampHeader.toLowerCase();
    this.prefix = options.prefix ?? '';
    if (!['generic', 'github', 'slack', 'stripe'].includes(style))
      throw refusal('style', "'generic', 'github', 'slack' or 'stripe'", `'${style}'`);
    if (this.secrets.length === 0 || this.secrets.some((name) => !name))
      throw refusal('secret', 'the name of a secret, or a list of such names', 'an empty one');
    if (!(toleranceMs > 0))
      throw refusal('toleranceMs', 'a number of milliseconds greater than 0', String(toleranceMs));
    if (!['sha256', 'sha384', 'sha512'].includes(this.algorithm))
      throw refusal('algorithm', "'sha256', 'sha384' or 'sha512'", `'${this.algorithm}'`);
    if (!['base64', 'hex'].includes(this.encoding))
      throw refusal('encoding', "'base64' or 'hex'", `'${String(this.encoding)}'`);
    for (const name of [this.header, this.timestampHeader ?? 'x'])
      if (!NAME.test(name)) throw refusal('header', 'the name of a header', `'${name}'`);
  }

  /** True for a request without a signature: its body need not be read. */
  isMissing(request: HttpRequest): boolean {
    const signed = this.read(request);
    return !signed || signed.signatures.length === 0;
  }

  /**
   * Undefined when one of the signatures was made with one of the keys, not too long ago. Takes as long for a wrong signature
   * as for a right one.
   * @param keys the secrets @param now in milliseconds
   */
  async faultOf(
    request: HttpRequest,
    body: Uint8Array,
    keys: readonly string[],
    now: number,
  ): Promise<SignatureFault | undefined> {
    const signed = this.read(request);
    if (!signed || signed.signatures.length === 0) return 'missing';
    const { signatures, before, time } = signed;
    let isValid = false;
    const hashes = keys.map((key) => createHmac(this.algorithm, key).update(before));
    await inSlices(body, (slice) => hashes.forEach((hash) => hash.update(slice)));
    for (const expected of hashes.map((hash) => hash.digest())) {
      for (const given of signatures)
        if (given.length === expected.length && timingSafeEqual(given, expected)) isValid = true;
    }
    if (!isValid) return 'not valid';
    // After the signature: the time is what its sender said, or it would not be valid.
    return time !== undefined && Math.abs(now - time * 1000) > this.toleranceMs ? 'too old or too new' : undefined;
  }

  private read(request: HttpRequest): Signed | undefined {
    switch (this.style) {
      case 'github':
        return { signatures: decoded([request.header('x-hub-signature-256')], 'sha256=', 'hex'), before: '' };
      case 'slack': {
        const time = timeOf(request.header('x-slack-request-timestamp'));
        if (time === undefined) return undefined;
        const signatures = decoded([request.header('x-slack-signature')], 'v0=', 'hex');
        return { signatures, time, before: `v0:${time}:` };
      }
      case 'stripe': {
        const parts = (request.header('stripe-signature') ?? '').split(',', MOST_PARTS).map((part) => part.trim());
        const time = timeOf(parts.find((part) => part.startsWith('t='))?.slice(2));
        if (time === undefined) return undefined;
        return { signatures: decoded(parts, 'v1=', 'hex'), time, before: `${time}.` };
      }
      case 'generic':
        return this.readGeneric(request);
    }
  }

  private readGeneric(request: HttpRequest): Signed | undefined {
    const signatures = decoded([request.header(this.header)], this.prefix, this.encoding);
    if (this.timestampHeader === undefined) return { signatures, before: '' };
    const time = timeOf(request.header(this.timestampHeader));
    return time === undefined ? undefined : { signatures, time, before: `${time}.` };
  }
}

/**
 * Makes a policy that requires a signature: `policies: { 'github-push': webhookSignature({ style: 'github', secret: 'github' })
 * }`.
 * @example
 * http: { policies: { 'github-push': webhookSignature({ style: 'github', secret: 'github-hook' }) } }
 */
export const webhookSignature = (options: WebhookSignatureOptions): WebhookSignature => new WebhookSignature(options);

/** Of a header with several signatures, no more are looked at. */
const MOST_PARTS = 20;

function decoded(given: readonly (string | undefined)[], prefix: string, encoding: 'base64' | 'hex'): Buffer[] {
  return given.flatMap((text) => {
    if (!text?.startsWith(prefix)) return [];
    const bytes = Buffer.from(text.slice(prefix.length).trim(), encoding);
    return bytes.length > 0 ? [bytes] : [];
  });
}

/** In whole seconds, as they are signed. */
function timeOf(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,11}$/.test(text.trim()) ? Number(text.trim()) : undefined;
}
