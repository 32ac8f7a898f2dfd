import http from 'node:http';
import type { ActivityJson, VariableDefinition } from '@waymark/core';

export const lit = (value: unknown, typeName = 'String') => ({ typeName, expression: { type: 'Literal', value } });
export const obj = (value: unknown) => ({
  typeName: 'Object',
  expression: { type: 'Object', value: JSON.stringify(value) },
});
export const ref = (id: string) => ({ typeName: 'Object', expression: { type: 'Variable', value: { id } } });
export const act = (type: string, id: string, members: object = {}, start = false): ActivityJson => ({
  type,
  id,
  version: 1,
  customProperties: { canStartWorkflow: start },
  ...members,
});
export interface EndpointOptions {
  methods?: string[];
  start?: boolean;
  outputs?: Record<string, string>;
  [input: string]: unknown;
}
export const endpoint = (
  id: string,
  path: string,
  { methods = ['GET'], start = true, outputs = {}, ...inputs }: EndpointOptions = {},
) =>
  act(
    'Elsa.HttpEndpoint',
    id,
    {
      path: lit(path),
      supportedMethods: obj(methods),
      ...inputs,
      ...Object.fromEntries(
        Object.entries(outputs).map(([name, variable]) => [
          name,
          { typeName: 'Object', memoryReference: { id: variable } },
        ]),
      ),
    },
    start,
  );
export const respond = (id: string, content: unknown, more: object = {}) =>
  act('Elsa.WriteHttpResponse', id, {
    content: typeof content === 'object' ? content : lit(content, 'Object'),
    ...more,
  });
export const show = (variable: string) => respond('Show', ref(variable), { contentType: lit('application/json') });
export const fault = (id: string) => act('Elsa.Fault', id, { message: lit('boom') });
export const variable = (id: string, typeName = 'Object'): VariableDefinition => ({
  id,
  name: id,
  typeName,
  isArray: false,
  storageDriverTypeName: null,
});

export interface CallOptions {
  headers?: Record<string, string>;
  body?: string | Buffer;
  chunked?: boolean;
}

/** An answer; `json` is what tests look into freely. */
export interface TestAnswer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- as its comment says
  readonly json: any;
}

export function call(port: number, method: string, path: string, { headers = {}, body, chunked }: CallOptions) {
  return new Promise<TestAnswer>((resolve, reject) => {
    const all: Record<string, string> = { ...headers };
    if (body !== undefined && !chunked) all['Content-Length'] = String(Buffer.byteLength(body));
    const request = http.request({ port, host: '127.0.0.1', method, path, headers: all, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      // It broke off.
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({
          status: response.statusCode!,
          headers: response.headers,
          text,
          get json() {
            return JSON.parse(text) as unknown;
          },
        });
      });
    });
    request.on('error', reject);
    if (body !== undefined && chunked) request.write(body);
    request.end(chunked ? undefined : body);
  });
}

export const multipart = (parts: { name: string; filename?: string; type?: string; data: string }[]) => {
  const boundary = 'XboundaryX';
  const lines = parts.flatMap(({ name, filename, type, data }) => [
    `--${boundary}`,
    `Content-Disposition: form-data; name="${name}"${filename !== undefined ? `; filename="${filename}"` : ''}`,
    ...(type ? [`Content-Type: ${type}`] : []),
    '',
    data,
  ]);
  return {
    body: [...lines, `--${boundary}--`, ''].join('\r\n'),
    headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` },
  };
};
