import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { type BodyDigest, BodyHash } from './body-hash.js';
import { inSlices } from './hash-in-turns.js';
import type { HttpFile } from './http-file.js';
import type { HttpRequest } from './http-request.js';
import type { UploadFiles } from '../uploads/upload-files.js';
import type { UploadFile } from '../uploads/upload-file.js';
import { type BodyClaim, type BodyDeadline, codingFault } from '@waymark/runtime/adapter';
import { overdueOf } from './overdue-body.js';
import { ContentSyntaxError, LARGE_BYTES, parseContent, type ValueLimit } from './parse-content.js';
import { type Form, isForm, isMultipart, parseForm } from './parse-form.js';
import { readBytes } from './read-bytes.js';
import { readUpload, type Upload } from './read-upload.js';
import { hasCoding, type Rejection, requestTooLarge, unreadBody } from './rejection.js';
import { type BodyRules, checkFiles } from './upload-rules.js';

/** A body that an endpoint accepts. */
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
  /** For endpoints without a limit of their own. */
  readonly defaultBytes: number;
  /** JSON values in all. */
  readonly values: number;
  /** How long it may take to arrive. Undefined: it has been read already. */
  readonly deadline?: BodyDeadline;
  /** Undefined: files stay in memory. */
  readonly uploads?: UploadLimits;
}

/** Limits of multipart bodies. */
export interface UploadLimits {
  readonly files: UploadFiles;
  /** As a whole. */
  readonly bytes: number;
  /** Files of longer bodies are written to a temporary file. */
  readonly memoryBytes: number;
  /** Whether a request has an idempotency key: of its body, a hash is computed while it arrives. */
  readonly hasKey: (request: HttpRequest) => boolean;
}

export const NO_BODY: AcceptedBody = { content: null };

/** The body of one request: read once, before anything is started or resumed, and judged by the endpoint's rules. */
export class RequestBody {
  private bytes: Promise<Buffer | undefined> | undefined;
  private upload: Promise<Upload | undefined> | undefined;
  private file: UploadFile | undefined;
  private claim: BodyClaim | undefined;
  private isOver = false;
  /** If true, its bytes are needed unchanged, so they stay in memory. */
  private isWhole = false;
  private judged: { readonly rules: string; readonly verdict: BodyVerdict } | undefined;

  /**
   * @param source undefined: there is no body, whatever the headers say
   * @param limits of the host
   * @param claimMemory of the budget for bodies, until it is discarded. Undefined: the body is in memory already, as that of a
   *   message is
   */
  constructor(
    private readonly request: HttpRequest,
    private readonly source: Readable | undefined,
    private readonly limits: BodyLimits,
    private readonly claimMemory?: () => BodyClaim,
    /** `Content-Encoding` of the source; undefined: it has none any more. */
    private readonly coding?: string,
  ) {}

  get isPresent(): boolean {
    return this.source !== undefined && this.request.hasBody;
  }

  /**
   * The unparsed bytes; undefined when there are more than the rules allow, or they do not arrive in time. `examine` then returns
   * the reason.
   * @throws RequestAbortedError
   */
  async raw(rules: BodyRules): Promise<Uint8Array | undefined> {
    if (!this.isPresent) return new Uint8Array();
    if (overdueOf(this.request.raw)) return undefined;
    this.isWhole = true;
    const limit = this.limitOf(rules);
    if ((this.request.contentLength ?? 0) > limit) return undefined;
    try {
      const bytes = await this.read(limit);
      return bytes && bytes.length <= limit ? bytes : undefined;
    } catch (error) {
      if (unreadBody(error)) return undefined;
      throw error;
    }
  }

  /** Hash of what has been read. */
  async digest(): Promise<BodyDigest> {
    const { bytes, digest } = (await this.upload) ?? {};
    if (digest !== undefined) return digest;
    const hash = new BodyHash(this.request.contentType);
    await inSlices(bytes ?? (await this.bytes) ?? Buffer.alloc(0), (slice) => hash.update(slice as Buffer));
    return hash.digest();
  }

  /** Synchronous for requests without a body and when asked again. @throws RequestAbortedError */
  examine(rules: BodyRules): BodyVerdict | Promise<BodyVerdict> {
    if (!this.isPresent) return NO_BODY;
    const overdue = overdueOf(this.request.raw);
    const rejection = overdue && unreadBody(overdue, this.isAnnounced);
    if (rejection) return { rejection };
    const fault = codingFault(this.coding);
    if (fault) return { rejection: hasCoding(fault) };
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
    const bytes = (await this.upload)?.bytes ?? (await this.bytes);
    // Databases do not keep the character 0 in texts.
    if (!bytes || bytes.length > mostBytes || !isUtf8(bytes) || bytes.includes(0)) return undefined;
    return bytes.toString();
  }

  /** The request is over: no one reads files of the upload any more, except streams that are open. */
  discard(): void {
    this.isOver = true;
    this.claim?.release();
    const { file, upload } = this;
    if (!file) return;
    this.file = undefined;
    const close = (): Promise<void> => file.close();
    // It may still be written to.
    void upload?.then(close, close);
  }

  /** True if the length is known. One above the limit has been refused before. */
  private get isAnnounced(): boolean {
    return this.request.contentLength !== undefined;
  }

  private limitOf({ requestSizeLimit }: BodyRules): number {
    const { defaultBytes, bytes, uploads } = this.limits;
    const most = uploads && this.isUpload ? uploads.bytes : bytes;
    return Math.min(requestSizeLimit ?? defaultBytes, most);
  }

  private get isUpload(): boolean {
    return this.limits.uploads !== undefined && !this.isWhole && isMultipart(this.request.contentType);
  }

  private read(limit: number): Promise<Buffer | undefined> {
    return (this.bytes ??= this.receiveBytes(limit));
  }

  private async receiveBytes(limit: number): Promise<Buffer | undefined> {
    return readBytes(this.source!, limit, this.limits.deadline, this.memory(), this.request.contentLength);
  }

  private memory(): BodyClaim | undefined {
    // A claim that is made later would never be released.
    if (!this.isOver) this.claim ??= this.claimMemory?.();
    return this.claim;
  }

  private get valueLimit(): ValueLimit {
    return { maxValues: this.limits.values, hint: " The option 'http.bodyValues' says how many." };
  }

  private async judge(rules: BodyRules): Promise<BodyVerdict> {
    const limit = this.limitOf(rules);
    if ((this.request.contentLength ?? 0) > limit) return { rejection: requestTooLarge(limit) };
    try {
      if (this.isUpload) return await this.judgeUpload(rules, limit);
      const bytes = await this.read(limit);
      if (!bytes || bytes.length > limit) return { rejection: requestTooLarge(limit) };
      return await this.parse(bytes, rules);
    } catch (error) {
      if (error instanceof ContentSyntaxError) return { rejection: { status: 400, body: error.body } };
      const rejection = unreadBody(error, this.isAnnounced);
      if (rejection) return { rejection };
      throw error;
    }
  }

  private async judgeUpload(rules: BodyRules, limit: number): Promise<BodyVerdict> {
    const upload = await (this.upload ??= this.receive(limit));
    return upload && upload.size <= limit ? verdictOf(upload.form, rules) : { rejection: requestTooLarge(limit) };
  }

  private async receive(limit: number): Promise<Upload | undefined> {
    const { bytes, deadline, uploads } = this.limits;
    this.file = uploads!.files.create();
    return readUpload(
      {
        source: this.source!,
        contentType: this.request.contentType!,
        limit,
        memoryBytes: uploads!.memoryBytes,
        fieldBytes: Math.min(limit, bytes),
        hasDigest: uploads!.hasKey(this.request),
        deadline,
        claim: this.memory(),
        announced: Math.min(this.request.contentLength ?? 0, uploads!.memoryBytes),
      },
      this.file,
    );
  }

  private async parse(bytes: Buffer, rules: BodyRules): Promise<BodyVerdict> {
    const { contentType } = this.request;
    if (isForm(contentType)) {
      return verdictOf(await parseForm(bytes, contentType), rules);
    }
    if (bytes.length === 0 || (this.request.contentLength === undefined && contentType === undefined)) return NO_BODY;
    const headers = { contentType, contentDisposition: this.request.header('content-disposition') };
    const content = await parseContent(bytes, headers, targetOf(rules.contentType), this.valueLimit);
    // The workflow that takes it begins in a later turn: both may hold the process for a tenth of a second.
    if (bytes.length >= LARGE_BYTES) await setImmediate();
    return { content };
  }
}

function verdictOf({ fields, files }: Form, rules: BodyRules): BodyVerdict {
  const rejection = checkFiles(files, rules);
  if (rejection) return { rejection };
  return files.length ? { content: fields, files } : { content: fields };
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
