/** In place of a method: the body is the whole request, head included. */
export const RAW = '(raw)';

/** A request that is meant to do harm. */
export interface HostileRequest {
  readonly name: string;
  /** `RAW`: path and headers do not count. */
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Made when it is sent: some are large. */
  body(): string | Buffer;
  /** Sent beforehand, one after another: what it acts on. Their stalls do not count. */
  readonly before?: readonly HostileRequest[];
  /** True, of one that is sent beforehand: it need not be let in. */
  readonly mayBeRefused?: true;
  /** If true, its workflow may fault, which is answered 500: by the API with its state, by an endpoint without content. */
  readonly mayFault?: true;
  /**
   * True, of `RAW`: the client ends its half of the connection with the last byte. Node then ends the other half, whether an answer
   * has been written or not; so it may have none.
   */
  readonly endsEarly?: true;
  /** True, of `RAW`: the client resets the connection behind the last byte, and has no answer. */
  readonly isReset?: true;
}

/** Whether an answer says that the workflow faulted, as it may. What fails otherwise has a content of its own. */
export const isFault = ({ mayFault }: HostileRequest, status: number, body: string): boolean =>
  mayFault === true && status === 500 && (body === '' || body.startsWith('{"workflowState"'));

const JSON_TYPE = { 'Content-Type': 'application/json' };
const BY_KEY = { Authorization: 'ApiKey key' };

/** To the API, by one who may do everything. */
export const apiRequest = (
  name: string,
  path: string,
  body: () => string | Buffer,
  { method = 'POST', type = JSON_TYPE as Readonly<Record<string, string>> } = {},
): HostileRequest => ({ name, method, path: `/elsa/api${path}`, headers: { ...type, ...BY_KEY }, body });

/** By a stranger, to anything. */
export const anonymousRequest = (
  name: string,
  path: string,
  body: () => string | Buffer,
  type: Readonly<Record<string, string>> = JSON_TYPE,
): HostileRequest => ({ name, method: 'POST', path, headers: type, body });

/** Without a body. */
export const getRequest = (name: string, method: string, path: string): HostileRequest => ({
  name,
  method,
  path,
  headers: {},
  body: () => '',
});

/**
 * Bytes as they are, head and all: what no client library would send. They may announce more than there is, so the client ends its
 * half of the connection behind them.
 */
export const rawRequest = (name: string, bytes: () => Buffer): HostileRequest => ({
  name,
  method: RAW,
  path: '',
  headers: {},
  body: bytes,
  endsEarly: true,
});

/** Bytes after which the client resets the connection: what it left is still read. */
export const resetRequest = (name: string, bytes: () => Buffer): HostileRequest => ({
  ...rawRequest(name, bytes),
  isReset: true,
});

/** The same of bytes that are complete: the client waits for its answer. */
export const completeRequest = (name: string, bytes: () => Buffer): HostileRequest => ({
  name,
  method: RAW,
  path: '',
  headers: {},
  body: bytes,
});

const BOUNDARY = 'hostile';
export const FORM = { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` };

export interface Part {
  readonly head: string;
  readonly content: string | Buffer;
}

export const filePart = (filename: string, content: string | Buffer, name = 'files'): Part => ({
  head: `Content-Disposition: form-data; name="${name}"; filename="${filename}"\r\nContent-Type: application/octet-stream`,
  content,
});

export function form(parts: readonly Part[]): Buffer {
  const pieces = parts.flatMap(({ head, content }) => [
    Buffer.from(`--${BOUNDARY}\r\n${head}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([...pieces, Buffer.from(`--${BOUNDARY}--\r\n`)]);
}
