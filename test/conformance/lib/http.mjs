// Minimal HTTP client over node:http(s): no redirects, no decompression, no hidden headers,
// raw request targets (double slashes and the like survive), chunked bodies on request.
import http from 'node:http';
import https from 'node:https';

export class HttpError extends Error {
  constructor(message, cause) {
    super(message);
    this.name = 'HttpError';
    this.cause = cause;
  }
}

function encodeBody(body, headers) {
  if (body === undefined || body === null) return undefined;
  if (Buffer.isBuffer(body)) return body;
  if (body instanceof Uint8Array) return Buffer.from(body);
  if (typeof body === 'string') return Buffer.from(body, 'utf8');
  if (!Object.keys(headers).some((h) => h.toLowerCase() === 'content-type'))
    headers['Content-Type'] = 'application/json';
  return Buffer.from(JSON.stringify(body), 'utf8');
}

/**
 * @param {string} method
 * @param {string} url absolute URL; the path part is sent as given
 * @param {{headers?:object, body?:any, timeout?:number, signal?:AbortSignal, chunked?:boolean}} [o]
 * @returns {Promise<{status:number, headers:object, buffer:Buffer, text:string, json:any}>}
 */
export function request(method, url, o = {}) {
  return new Promise((resolve, reject) => {
    const m = /^(https?):\/\/([^/?#]+)(.*)$/i.exec(url);
    if (!m) return reject(new HttpError(`not an absolute URL: ${url}`));
    const [, scheme, host, rest] = m;
    const lib = scheme.toLowerCase() === 'https' ? https : http;
    const hm = /^(.*@)?(\[[^\]]+\]|[^:]+)(?::(\d+))?$/.exec(host);
    const hostname = hm[2].replace(/^\[|\]$/g, '');
    const port = hm[3] ? Number(hm[3]) : scheme.toLowerCase() === 'https' ? 443 : 80;
    const path = rest === '' ? '/' : rest.startsWith('?') ? '/' + rest : rest;
    const headers = { Accept: '*/*', ...(o.headers || {}) };
    const body = encodeBody(o.body, headers);
    if (body !== undefined && !o.chunked) headers['Content-Length'] = String(body.length);
    else if (body === undefined && ['POST', 'PUT', 'PATCH'].includes(method.toUpperCase()))
      headers['Content-Length'] = '0';
    if (o.chunked) headers['Transfer-Encoding'] = 'chunked';
    let settled = false;
    const fail = (e) => {
      if (!settled) {
        settled = true;
        reject(e instanceof HttpError ? e : new HttpError(`${method} ${url}: ${e.message || e.code || e}`, e));
      }
    };
    const req = lib.request(
      { method, hostname, port, path, headers, agent: false, rejectUnauthorized: false },
      (res) => {
        const chunks = [];
        res.on('data', (c) => chunks.push(c));
        res.on('error', fail);
        res.on('aborted', () => fail(new Error('response aborted')));
        res.on('end', () => {
          if (settled) return;
          settled = true;
          const buffer = Buffer.concat(chunks);
          const text = buffer.toString('utf8');
          let parsed,
            tried = false;
          resolve({
            method,
            url,
            status: res.statusCode,
            headers: res.headers,
            buffer,
            text,
            get json() {
              if (!tried) {
                tried = true;
                try {
                  parsed = text.length ? JSON.parse(text.replace(/^\uFEFF/, '')) : undefined;
                } catch {
                  parsed = undefined;
                }
              }
              return parsed;
            },
          });
        });
      },
    );
    req.on('error', (e) => {
      // A server may answer and close before having read the whole body (413): give the response a moment.
      if (e.code === 'EPIPE' || e.code === 'ECONNRESET') setTimeout(() => fail(e), 250);
      else fail(e);
    });
    const timeout = o.timeout ?? 30000;
    req.setTimeout(timeout, () => {
      fail(new Error(`no answer within ${timeout} ms`));
      req.destroy();
    });
    if (o.signal) {
      if (o.signal.aborted) {
        req.destroy();
        return fail(new Error('aborted'));
      }
      const onAbort = () => {
        fail(new Error('aborted'));
        req.destroy();
      };
      o.signal.addEventListener('abort', onAbort, { once: true });
      req.on('close', () => o.signal.removeEventListener('abort', onAbort));
    }
    if (body === undefined) return req.end();
    if (o.chunked) {
      const size = 1024;
      for (let i = 0; i < body.length; i += size) req.write(body.subarray(i, i + size));
      return req.end();
    }
    req.end(body);
  });
}

/** multipart/form-data body. parts: [{name, filename?, contentType?, data}] */
export function multipart(parts) {
  const boundary = '----waymark' + Math.random().toString(16).slice(2) + Date.now().toString(16);
  const out = [];
  for (const p of parts) {
    let head = `--${boundary}\r\nContent-Disposition: form-data; name="${p.name}"`;
    if (p.filename !== undefined) head += `; filename="${p.filename}"`;
    head += '\r\n';
    if (p.contentType) head += `Content-Type: ${p.contentType}\r\n`;
    out.push(
      Buffer.from(head + '\r\n'),
      Buffer.isBuffer(p.data) ? p.data : Buffer.from(String(p.data)),
      Buffer.from('\r\n'),
    );
  }
  out.push(Buffer.from(`--${boundary}--\r\n`));
  return { body: Buffer.concat(out), contentType: `multipart/form-data; boundary=${boundary}` };
}

export const sleep = (ms, signal) =>
  new Promise((res, rej) => {
    if (signal?.aborted) return rej(new HttpError('aborted'));
    const h = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      res();
    }, ms);
    const onAbort = () => {
      clearTimeout(h);
      rej(new HttpError('aborted'));
    };
    signal?.addEventListener('abort', onAbort, { once: true });
  });
