import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { HttpFile } from './http-file.js';
import type { HttpRequest } from './http-request.js';
import { ContentSyntaxError, parseContent, type ValueLimit } from './parse-content.js';
import { isForm, parseForm } from './parse-form.js';
import { readBytes } from './read-bytes.js';
import { type Rejection, requestTooLarge } from './rejection.js';
import { type BodyRules, checkFiles } from './upload-rules.js';

/** A body that an endpoint takes. */
export interface AcceptedBody {
  /** Fields of a form, or the parsed content; null without a body. */
  readonly content: unknown;
  readonly files?: readonly HttpFile[];
  readonly rejection?: undefined;
}

/** A body read by an endpoint's rules, or the first rule that it breaks. */
export type BodyVerdict = AcceptedBody | { readonly rejection: Rejection };

/** How much the host lets a body hold, whatever its endpoint allows. */
export interface BodyLimits {
  readonly bytes: number;
  /** Where the endpoint says nothing. */
  readonly defaultBytes: number;
  /** JSON values in all. */
  readonly values: number;
}

export const NO_BODY: AcceptedBody = { content: null };

/** The body of one request: read once, before anything is started or resumed, and judged by the endpoint's rules. */
export class RequestBody {
  private bytes: Promise<Buffer | undefined> | undefined;
  private judged: { readonly rules: string; readonly verdict: BodyVerdict } | undefined;

  /**
   * @param source undefined: there is no body, whatever the headers say
   * @param limits of the host
   */
  constructor(
    private readonly request: HttpRequest,
    private readonly source: Readable | undefined,
    private readonly limits: BodyLimits,
  ) {}

  get isPresent(): boolean {
    return this.source !== undefined && this.request.hasBody;
  }

  /**
   * The bytes as they came, before anything is made of them; undefined when there are more than the rules allow.
   * @throws RequestAbortedError
   */
  async raw(rules: BodyRules): Promise<Uint8Array | undefined> {
    if (!this.isPresent) return new Uint8Array();
    const limit = this.limitOf(rules);
    if ((this.request.contentLength ?? 0) > limit) return undefined;
    const bytes = await (this.bytes ??= readBytes(this.source!, limit));
    return bytes && bytes.length <= limit ? bytes : undefined;
  }

  /** Hash of what has been read. */
  async digest(): Promise<string> {
    return createHash('sha256')
      .update((await this.bytes) ?? '')
      .digest('base64url');
  }

  /** Synchronous for requests without a body and when asked again. @throws RequestAbortedError */
  examine(rules: BodyRules): BodyVerdict | Promise<BodyVerdict> {
    if (!this.isPresent) return NO_BODY;
    const key = keyOf(rules);
    if (this.judged?.rules === key) return this.judged.verdict;
    return this.judge(rules).then((verdict) => {
      this.judged = { rules: key, verdict };
      return verdict;
    });
  }

  /**
   * The body as it came, for a message; empty without one. Only once it was examined. Undefined: it has files, is not text, or
   * is longer than that many bytes.
   */
  async text(mostBytes: number): Promise<string | undefined> {
    if (!this.isPresent) return '';
    const { verdict } = this.judged ?? {};
    if (!verdict || verdict.rejection || verdict.files) return undefined;
    const bytes = await this.bytes;
    // Databases do not keep the character 0 in texts.
    if (!bytes || bytes.length > mostBytes || !isUtf8(bytes) || bytes.includes(0)) return undefined;
    return bytes.toString();
  }

  private limitOf({ requestSizeLimit }: BodyRules): number {
    return Math.min(requestSizeLimit ?? this.limits.defaultBytes, this.limits.bytes);
  }

  private get valueLimit(): ValueLimit {
    return { maxValues: this.limits.values, hint: " The option 'http.bodyValues' says how many." };
  }

  private async judge(rules: BodyRules): Promise<BodyVerdict> {
    const limit = this.limitOf(rules);
    if ((this.request.contentLength ?? 0) > limit) return { rejection: requestTooLarge(limit) };
    const bytes = await (this.bytes ??= readBytes(this.source!, limit));
    if (!bytes || bytes.length > limit) return { rejection: requestTooLarge(limit) };
    try {
      return await this.parse(bytes, rules);
    } catch (error) {
      if (error instanceof ContentSyntaxError) return { rejection: { status: 400, body: error.body } };
      throw error;
    }
  }

  private async parse(bytes: Buffer, rules: BodyRules): Promise<BodyVerdict> {
    const { contentType } = this.request;
    if (isForm(contentType)) {
      const { fields, files } = await parseForm(bytes, contentType);
      const rejection = checkFiles(files, rules);
      if (rejection) return { rejection };
      return files.length ? { content: fields, files } : { content: fields };
    }
    if (bytes.length === 0 || (this.request.contentLength === undefined && contentType === undefined)) return NO_BODY;
    const headers = { contentType, contentDisposition: this.request.header('content-disposition') };
    return { content: parseContent(bytes, headers, targetOf(rules.contentType), this.valueLimit) };
  }
}

/** Malformed JSON only matters to a receiver of data. */
const targetOf = (type: string | undefined): 'data' | 'text' =>
  type === undefined || type === 'String' ? 'text' : 'data';

/** Equal rules give equal verdicts. */
const keyOf = (r: BodyRules): string =>
  JSON.stringify([
    r.requestSizeLimit,
    r.fileSizeLimit,
    r.allowedFileExtensions,
    r.blockedFileExtensions,
    r.allowedMimeTypes,
    r.contentType,
  ]);
