// What is known about the server under test: address, credentials, capabilities.
import http from 'node:http';
import { request } from './http.mjs';
import { W, decision, flow, start, workflow } from './build.mjs';
import { Context } from './context.mjs';

const FALLBACK = {
  incident: {
    Fault: 'Elsa.Workflows.IncidentStrategies.FaultStrategy, Elsa.Workflows.Core',
    ContinueWithIncidents: 'Elsa.Workflows.IncidentStrategies.ContinueWithIncidentsStrategy, Elsa.Workflows.Core',
  },
  activation: {
    AllowAlways: 'Elsa.Workflows.ActivationValidators.AllowAlwaysStrategy, Elsa.Workflows.Core',
    Singleton: 'Elsa.Workflows.Runtime.ActivationValidators.SingletonStrategy, Elsa.Workflows.Runtime',
    CorrelatedSingleton:
      'Elsa.Workflows.Runtime.ActivationValidators.CorrelatedSingletonStrategy, Elsa.Workflows.Runtime',
    Correlation: 'Elsa.Workflows.Runtime.ActivationValidators.CorrelationStrategy, Elsa.Workflows.Runtime',
  },
};
const DESCRIPTORS = {
  incident: '/descriptors/incident-strategies',
  activation: '/descriptors/workflow-activation-strategies',
};

export class Env {
  constructor(o) {
    this.base = o.base.replace(/\/+$/, '');
    this.apiPrefix = '/' + (o.apiPrefix ?? '/elsa/api').replace(/^\/+|\/+$/g, '');
    this.httpPath = '/' + (o.httpPath ?? '/workflows').replace(/^\/+|\/+$/g, '');
    if (this.httpPath === '/') this.httpPath = '';
    this.elsa = o.elsa;
    this.timeoutScale = o.timeoutScale ?? 1;
    this.keep = !!o.keep;
    this.flowModeOption = o.flowMode ?? 'auto';
    this.startAtPast = o.startAtPast ?? 'skip';
    this.advanceUrl = o.advanceUrl;
    this.callbackEnabled = o.callback !== false;
    this.callbackBaseOption = o.callbackBase;
    this.callbackPort = o.callbackPort ?? 0;
    this.authHeaders = {};
    this.authKind = 'none';
    this.caps = new Map();
    this.handlers = new Map();
  }

  call(method, path, { body, headers = {}, auth = true } = {}) {
    return request(method, this.base + this.apiPrefix + path, {
      body,
      headers: { Accept: 'application/json', ...(auth ? this.authHeaders : {}), ...headers },
      timeout: 20000,
    });
  }

  async connect({ apiKey, token, user, password }) {
    if (token) {
      this.authHeaders = { Authorization: `Bearer ${token}` };
      this.authKind = 'token';
    } else if (apiKey) {
      this.authHeaders = { Authorization: `ApiKey ${apiKey}` };
      this.authKind = 'api key';
    } else {
      const r = await this.call('POST', '/identity/login', { body: { username: user, password }, auth: false });
      if (r.status === 200 && r.json?.isAuthenticated && r.json.accessToken) {
        this.authHeaders = { Authorization: `Bearer ${r.json.accessToken}` };
        this.authKind = 'login';
        this.login = { user, password };
      } else if (r.status === 404 || r.status === 405) this.authKind = 'none';
      else throw new Error(`login as ${user} was refused: ${r.status} ${r.text.slice(0, 200)}`);
    }
    const probe = await this.call('GET', '/workflow-definitions?page=0&pageSize=1');
    if (probe.status !== 200)
      throw new Error(`GET ${this.apiPrefix}/workflow-definitions answers ${probe.status} with ${this.authKind}`);
    const anonymous = await this.call('GET', '/workflow-definitions?page=0&pageSize=1', { auth: false });
    this.anonymousAllowed = anonymous.status === 200;
  }

  async version() {
    const r = await this.call('GET', '/package/version').catch(() => undefined);
    return r?.status === 200 ? r.json?.packageVersion : undefined;
  }

  async expressionTypes() {
    if (!this._expr)
      this._expr = this.call('GET', '/descriptors/expression-descriptors').then((r) =>
        r.status === 200 ? (r.json?.items ?? r.json ?? []) : [],
      );
    return this._expr;
  }
  async activityTypes() {
    if (!this._types)
      this._types = this.call('GET', '/descriptors/activities').then(
        (r) => new Set((r.json?.items ?? []).map((x) => x.typeName)),
      );
    return this._types;
  }
  async strategy(kind, name) {
    const key = `_${kind}`;
    if (!this[key])
      this[key] = this.call('GET', DESCRIPTORS[kind])
        .then((r) => (r.status === 200 ? (r.json?.items ?? []) : []))
        .catch(() => []);
    const items = await this[key];
    const wanted = name.toLowerCase() + 'strategy';
    const shortName = (s) =>
      String(s ?? '')
        .split(',')[0]
        .split('.')
        .pop()
        .toLowerCase();
    const hit = items.find((x) => shortName(x.typeName) === wanted || shortName(x.typeName) === name.toLowerCase());
    return hit?.typeName ?? FALLBACK[kind][name];
  }

  /** true, or the reason why the server lacks the capability. */
  async has(cap) {
    if (!this.caps.has(cap)) this.caps.set(cap, await this.detect(cap).catch((e) => `probing failed: ${e.message}`));
    return this.caps.get(cap);
  }
  async detect(cap) {
    const expression = async (t) => {
      const d = (await this.expressionTypes()).find((x) => x.type === t);
      if (!d) return `server has no ${t} expressions`;
      if (t === 'CSharp' && d.isBrowsable === false) return 'C# execution is disabled by the host';
      return true;
    };
    if (cap === 'javascript') return expression('JavaScript');
    if (cap === 'liquid') return expression('Liquid');
    if (cap === 'csharp') return expression('CSharp');
    if (cap === 'callback') return this.callbackEnabled ? true : 'needs the call-back server (--no-callback given)';
    if (cap === 'clock') return this.advanceUrl ? true : 'needs a server with a test clock (--advance-url)';
    if (cap === 'auth') return this.anonymousAllowed ? 'server accepts anonymous API calls' : true;
    if (cap === 'login') return this.login ? true : 'needs --user/--password login';
    if (cap === 'runtime-admin') {
      const r = await this.call('GET', '/admin/workflow-runtime/status');
      return r.status === 200 ? true : `no /admin/workflow-runtime/status (${r.status})`;
    }
    if (cap === 'alterations') {
      const r = await this.call('POST', '/alterations/run', { body: { alterations: [], workflowInstanceIds: [] } });
      return r.status === 404 || r.status === 405 ? 'server has no alterations endpoints' : true;
    }
    if (cap.startsWith('type:'))
      return (await this.activityTypes()).has(cap.slice(5)) ? true : `server has no activity ${cap.slice(5)}`;
    if (cap.startsWith('flow:')) {
      const m = await this.flowMode();
      return m === cap.slice(5) ? true : `server runs flowcharts ${m}-based`;
    }
    return `unknown capability ${cap}`;
  }

  /** 'token' | 'counter': found out by running a small flowchart whose result differs. */
  async flowMode() {
    if (this.flowModeOption !== 'auto') return this.flowModeOption;
    if (!this._flowMode) this._flowMode = this.probeFlowMode();
    return this._flowMode;
  }
  async probeFlowMode() {
    const t = new Context(this, { name: 'flow-mode probe' });
    try {
      const c = W('C', 'C', { custom: { mergeMode: 'Merge' } });
      const r = await t.run(
        workflow(
          t.id('flow-mode-probe'),
          flow(
            'Flow',
            [start('Start'), W('A', 'A'), decision('D', false), W('B', 'B'), c],
            ['Start->A', 'Start->D', 'D:True->B', 'A->C', 'B->C'],
          ),
        ),
        {},
        { expect: [200, 500] },
      );
      await t.waitFor(async () => (await t.started(r.instanceId, ['A'])).length > 0 || undefined, {
        timeout: 5000,
        what: 'probe to run',
      });
      await t.sleep(300);
      const ids = await t.started(r.instanceId, ['A', 'B', 'C']);
      return ids.includes('C') ? 'counter' : 'token';
    } finally {
      await t.cleanup();
    }
  }

  // ----- side server for cases in which the server under test is an HTTP client -----
  async callback(uid, handler) {
    if (!this.callbackEnabled) throw new Error('call-backs are off');
    if (!this._server)
      this._server = new Promise((resolve, reject) => {
        const server = http.createServer((req, res) => {
          const chunks = [];
          req.on('data', (c) => chunks.push(c));
          const answer = async () => {
            const key = req.url.split('/')[1]?.split('?')[0];
            const h = this.handlers.get(key);
            if (!h) {
              res.writeHead(404).end();
              return;
            }
            const body = Buffer.concat(chunks).toString('utf8');
            const seen = {
              method: req.method,
              url: req.url,
              path: req.url.slice(key.length + 1),
              headers: req.headers,
              body,
            };
            h.requests.push(seen);
            try {
              const a = (await h.handler(seen)) ?? {};
              if (a.delay) await new Promise((r) => setTimeout(r, a.delay));
              const payload = Buffer.from(
                a.body === undefined
                  ? ''
                  : typeof a.body === 'string' || Buffer.isBuffer(a.body)
                    ? a.body
                    : JSON.stringify(a.body),
              );
              res.writeHead(a.status ?? 200, {
                ...(a.headers ?? { 'Content-Type': 'application/json' }),
                'Content-Length': payload.length,
              });
              res.end(payload);
            } catch {
              res.writeHead(500).end();
            }
          };
          req.on('end', () => void answer());
        });
        server.on('error', reject);
        server.listen(this.callbackPort, this.callbackBaseOption ? '0.0.0.0' : '127.0.0.1', () => {
          server.unref();
          resolve(server);
        });
      });
    const server = await this._server;
    const base = this.callbackBaseOption
      ? this.callbackBaseOption.replace(/\/+$/, '')
      : `http://127.0.0.1:${server.address().port}`;
    const entry = { handler: handler ?? (() => ({ status: 200, body: {} })), requests: [] };
    this.handlers.set(uid, entry);
    return {
      url: `${base}/${uid}`,
      requests: entry.requests,
      dispose: () => {
        this.handlers.delete(uid);
      },
    };
  }
  close() {
    this._server?.then(
      (s) => {
        s.close();
        s.closeAllConnections?.();
      },
      () => {},
    );
  }
}
