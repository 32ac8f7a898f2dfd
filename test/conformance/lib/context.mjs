// The object every case gets: an isolated view of the server under test, waiting, and clean-up.
import { request, multipart, sleep } from './http.mjs';
import { readFixture, isolate } from './fixtures.mjs';
import { Deployments } from './deployments.mjs';
import { Fail, makeUid, plain, prop, show, Skip } from './values.mjs';

export { Fail, noNulls, plain, prop, Skip } from './values.mjs';

export class Context extends Deployments {
  constructor(env, test, signal) {
    super();
    this.env = env;
    this.test = test;
    this.signal = signal;
    this.uid = makeUid();
    this.definitionIds = new Set();
    this.instanceIds = new Set();
    this.disposers = [];
    this.notes = [];
  }

  // ----- identity -----
  id(name = 'wf') {
    return `${name}-${this.uid}`;
  }
  /** A definition name that is also a valid, unchanged activity type name. */
  typeName(name = 'Child') {
    return `${name}Z${this.uid}`;
  }
  get apiBase() {
    return this.env.base + this.env.apiPrefix;
  }
  /** Absolute URL of an HTTP workflow, below the base path. */
  httpUrl(path) {
    return this.env.base + this.env.httpPath + '/' + path.replace(/^\/+/, '');
  }
  /** Path of an endpoint, unique for the case. */
  path(p = '') {
    return p ? `${this.uid}/${p}` : this.uid;
  }
  note(m) {
    this.notes.push(m);
  }
  skip(reason) {
    throw new Skip(reason);
  }
  fail(message) {
    throw new Fail(message);
  }
  scale(ms) {
    return Math.round(ms * this.env.timeoutScale);
  }
  sleep(ms) {
    return sleep(ms, this.signal);
  }

  // ----- waiting -----
  /** Polls until fn gives something other than undefined/false/null. */
  async waitFor(fn, { timeout = 8000, interval = 120, what = 'condition' } = {}) {
    const until = Date.now() + this.scale(timeout);
    let last, lastError;
    for (;;) {
      try {
        last = await fn();
        lastError = undefined;
        if (last !== undefined && last !== null && last !== false) return last;
      } catch (e) {
        if (e instanceof Skip || this.signal?.aborted) throw e;
        lastError = e;
      }
      if (Date.now() > until)
        throw new Fail(
          `timed out after ${this.scale(timeout)} ms waiting for ${what}${lastError ? ` (${lastError.message})` : ''}`,
        );
      await sleep(interval, this.signal);
    }
  }
  /** Polls until the assertions inside fn pass; the last failure is reported. */
  async eventually(fn, { timeout = 6000, interval = 150 } = {}) {
    const until = Date.now() + this.scale(timeout);
    for (;;) {
      const before = this.assertions;
      try {
        return await fn();
      } catch (e) {
        if (e instanceof Skip || this.signal?.aborted || Date.now() > until) throw e;
        this.assertions = before;
        await sleep(interval, this.signal);
      }
    }
  }
  /** Asserts that fn keeps holding for a while. */
  async never(fn, { during = 1200, interval = 200, what = 'condition' } = {}) {
    const until = Date.now() + this.scale(during);
    do {
      if (await fn()) throw new Fail(`should not happen: ${what}`);
      await sleep(interval, this.signal);
    } while (Date.now() < until);
    this.assertions++;
  }

  // ----- raw HTTP -----
  async http(method, pathOrUrl, o = {}) {
    const url = /^https?:/i.test(pathOrUrl) ? pathOrUrl : this.httpUrl(pathOrUrl);
    return request(method, url, { signal: this.signal, ...o });
  }
  get(path, o) {
    return this.http('GET', path, o);
  }
  post(path, body, o = {}) {
    return this.http('POST', path, { body, ...o });
  }

  /** REST API call; expect: number | number[] | 'any' (default: any 2xx). */
  async api(method, path, { body, query, headers, expect, auth = true, timeout, chunked } = {}) {
    const q = query
      ? '?' +
        Object.entries(query)
          .filter(([, v]) => v !== undefined)
          .flatMap(([k, v]) =>
            (Array.isArray(v) ? v : [v]).map((x) => `${encodeURIComponent(k)}=${encodeURIComponent(x)}`),
          )
          .join('&')
      : '';
    const h = { Accept: 'application/json', ...(auth ? this.env.authHeaders : {}), ...(headers || {}) };
    const r = await request(method, this.apiBase + path + q, {
      headers: h,
      body,
      signal: this.signal,
      timeout,
      chunked,
    });
    if (expect === 'any') return r;
    const good =
      expect === undefined
        ? r.status >= 200 && r.status < 300
        : (Array.isArray(expect) ? expect : [expect]).includes(r.status);
    if (expect !== undefined) this.assertions++;
    if (!good)
      throw new Fail(
        `${method} ${path}${q}: expected ${expect === undefined ? '2xx' : show(expect)}, got ${r.status} ${show(r.text, 300)}`,
      );
    return r;
  }
  async apiJson(method, path, o) {
    return (await this.api(method, path, o)).json;
  }

  // ----- fixtures -----
  /** Loads Elsa's own JSON files (relative to the checkout) and isolates them together. */
  load(files, o = {}) {
    if (!this.env.elsa) this.skip('needs --elsa (Elsa checkout with the fixture)');
    const list = Array.isArray(files) ? files : [files];
    const models = list.map((f) => readFixture(this.env.elsa, f) ?? this.skip(`fixture not in the checkout: ${f}`));
    models.forEach((m, i) => {
      if (!m.definitionId) {
        m.definitionId = `fixture${i}`;
      }
    });
    const result = isolate(models, this.uid, o);
    return Array.isArray(files) ? result : result[0];
  }
  rawFixture(file) {
    if (!this.env.elsa) this.skip('needs --elsa (Elsa checkout with the fixture)');
    return readFixture(this.env.elsa, file) ?? this.skip(`fixture not in the checkout: ${file}`);
  }

  // ----- instances -----
  async instance(id, o = {}) {
    const r = await this.api('GET', `/workflow-instances/${encodeURIComponent(id)}`, { expect: o.expect });
    return plain(r.json);
  }
  async instanceOrNone(id) {
    const r = await this.api('GET', `/workflow-instances/${encodeURIComponent(id)}`, { expect: [200, 404] });
    this.assertions--;
    return r.status === 200 ? plain(r.json) : undefined;
  }
  async state(id) {
    return (await this.instance(id)).workflowState;
  }
  async instances(filter) {
    return (
      (await this.apiJson('POST', '/workflow-instances', { body: { page: 0, pageSize: 100, ...filter } }))?.items ?? []
    );
  }
  async instancesOf(definitionId) {
    const list = await this.instances({ definitionId });
    return [...list].sort((a, b) => String(a.createdAt).localeCompare(String(b.createdAt)));
  }
  /** Waits for `count` instances of a definition. */
  async awaitInstances(definitionId, count = 1, o = {}) {
    return this.waitFor(
      async () => {
        const l = await this.instancesOf(definitionId);
        return l.length >= count ? l : undefined;
      },
      { what: `${count} instance(s) of ${definitionId}`, ...o },
    );
  }
  /** Waits until the instance has the status (and sub-status). */
  async awaitStatus(id, status, subStatus, o = {}) {
    let seen;
    try {
      const inst = await this.waitFor(
        async () => {
          const i = await this.instanceOrNone(id);
          seen = i ? `${i.status}/${i.subStatus}` : 'no such instance';
          return i && i.status === status && (!subStatus || i.subStatus === subStatus) ? i : undefined;
        },
        { what: `status ${status}/${subStatus ?? '*'}`, ...o },
      );
      this.assertions++;
      return inst;
    } catch (e) {
      if (e instanceof Fail) e.message += `; last seen ${seen}`;
      throw e;
    }
  }
  finished(id, o) {
    return this.awaitStatus(id, 'Finished', 'Finished', o);
  }
  suspended(id, o) {
    return this.awaitStatus(id, 'Running', 'Suspended', o);
  }
  faulted(id, o) {
    return this.awaitStatus(id, 'Finished', 'Faulted', o);
  }
  expectState(state, status, subStatus) {
    this.ok(state, 'response carries no workflowState');
    this.eq(`${state.status}/${state.subStatus}`, `${status}/${subStatus}`, 'status');
  }

  async journal(id) {
    const all = [];
    for (let page = 0; page < 50; page++) {
      const r = await this.apiJson('GET', `/workflow-instances/${encodeURIComponent(id)}/journal`, {
        query: { page, pageSize: 500 },
      });
      const items = r?.items ?? [];
      all.push(...items);
      if (items.length === 0 || all.length >= (r.totalCount ?? all.length)) break;
    }
    const seen = new Set();
    return all
      .filter((x) => (seen.has(x.id) ? false : seen.add(x.id)))
      .sort((a, b) => a.sequence - b.sequence || String(a.timestamp).localeCompare(String(b.timestamp)));
  }
  async records(id) {
    let raw;
    const r = await this.api('GET', '/activity-executions/list', { query: { workflowInstanceId: id }, expect: 'any' });
    if (r.status === 200) raw = r.json?.items ?? [];
    else if (r.status === 400) {
      // a server that insists on activityNodeId
      const nodes = [...new Set((await this.journal(id)).map((e) => e.nodeId).filter(Boolean))];
      raw = (
        await Promise.all(
          nodes.map((n) =>
            this.apiJson('GET', '/activity-executions/list', { query: { workflowInstanceId: id, activityNodeId: n } }),
          ),
        )
      ).flatMap((x) => x?.items ?? []);
    } else throw new Fail(`GET /activity-executions/list: expected 200, got ${r.status} ${show(r.text, 200)}`);
    const items = raw.map(plain);
    return [...items].sort((a, b) => String(a.startedAt).localeCompare(String(b.startedAt)));
  }
  /** Activity execution records of one activity of an instance. */
  async recordsOf(id, activityId) {
    return (await this.records(id)).filter((r) => r.activityId === activityId);
  }
  async record(id, activityId) {
    const l = await this.recordsOf(id, activityId);
    if (l.length !== 1) throw new Fail(`expected one activity execution of ${activityId}, found ${l.length}`);
    return l[0];
  }
  async recordEventually(id, activityId, pred = () => true) {
    return this.waitFor(
      async () => {
        const l = await this.recordsOf(id, activityId);
        return l.find(pred);
      },
      { timeout: 5000, what: `activity execution of ${activityId}` },
    );
  }
  /** Texts written by WriteLine activities, in order of execution. */
  async lines(id) {
    const [journal, records] = [await this.journal(id), await this.records(id)];
    const byId = new Map(records.map((r) => [r.id, r]));
    return journal
      .filter((e) => e.eventName === 'Started' && e.activityType === 'Elsa.WriteLine')
      .map((e) => prop(byId.get(e.activityInstanceId)?.activityState, 'Text'))
      .filter((x) => x !== undefined);
  }
  /** Ids of activities in the order in which they started (all, or those named). */
  async started(id, only) {
    const set = only && new Set(only);
    return (await this.journal(id))
      .filter((e) => e.eventName === 'Started' && (!set || set.has(e.activityId)))
      .map((e) => e.activityId);
  }
  async expectLines(id, expected, o = {}) {
    return this.eventually(
      async () => {
        const l = await this.lines(id);
        this.eq(l, expected, 'written lines');
        return l;
      },
      { timeout: 5000, ...o },
    );
  }
  async expectLineSet(id, expected, o = {}) {
    return this.eventually(
      async () => {
        const l = await this.lines(id);
        this.eq([...l].sort(), [...expected].sort(), 'written lines (any order)');
        return l;
      },
      { timeout: 5000, ...o },
    );
  }
  /** Whatever an instance wrote, once it wrote something. */
  someLines(id, o = {}) {
    return this.waitFor(
      async () => {
        const l = await this.lines(id);
        return l.length ? l : undefined;
      },
      { timeout: 5000, what: `lines of ${id}`, ...o },
    );
  }
  /** Runs a definition to the end and compares status and lines. */
  async runAndExpect(model, lines, { body = {}, status = 'Finished', subStatus = 'Finished', expect } = {}) {
    const r = await this.run(model, body, { expect: expect ?? (subStatus === 'Faulted' ? 500 : 200) });
    await this.awaitStatus(r.instanceId, status, subStatus);
    if (lines) await this.expectLines(r.instanceId, lines);
    return r;
  }
  async variables(id) {
    const r = await this.apiJson('GET', `/workflow-instances/${encodeURIComponent(id)}/variables`);
    return Object.fromEntries((r?.items ?? []).map((v) => [v.name, plain(v.value)]));
  }
  async bookmarks(id) {
    return (await this.state(id)).bookmarks ?? [];
  }
  /** Waits until the instance has n bookmarks (optionally of an activity). */
  async awaitBookmarks(id, n = 1, activityId) {
    return this.waitFor(
      async () => {
        const b = (await this.bookmarks(id)).filter((x) => !activityId || x.activityId === activityId);
        return b.length === n ? b : undefined;
      },
      { what: `${n} bookmark(s)${activityId ? ' of ' + activityId : ''}` },
    );
  }

  // ----- stimuli -----
  trigger(name, body = {}, o = {}) {
    return this.api('POST', `/events/${encodeURIComponent(name)}/trigger`, { body, expect: o.expect ?? 200 });
  }
  async taskBookmarks(id) {
    return (await this.bookmarks(id))
      .filter((b) => prop(b.payload, 'taskId'))
      .map((b) => ({
        taskId: prop(b.payload, 'taskId'),
        taskName: prop(b.payload, 'taskName'),
        activityId: b.activityId,
        bookmark: b,
      }));
  }
  /** Waits for one open task (by name) of an instance. */
  async awaitTask(id, taskName) {
    return this.waitFor(async () => (await this.taskBookmarks(id)).find((x) => !taskName || x.taskName === taskName), {
      what: `open task ${taskName ?? ''}`,
    });
  }
  completeTask(taskId, result, o = {}) {
    return this.api('POST', `/tasks/${encodeURIComponent(taskId)}/complete`, {
      body: result === undefined ? {} : { result },
      expect: o.expect ?? 200,
    });
  }
  cancel(id, o = {}) {
    return this.api('POST', `/cancel/workflow-instances/${encodeURIComponent(id)}`, {
      body: {},
      expect: o.expect ?? 200,
    });
  }

  /** Moves the test clock of the server (needs capability "clock"). */
  async advance(milliseconds) {
    const r = await request('POST', this.env.advanceUrl, {
      body: { milliseconds },
      headers: { ...this.env.authHeaders },
      signal: this.signal,
    });
    if (r.status < 200 || r.status >= 300) throw new Fail(`moving the test clock: ${r.status} ${show(r.text, 200)}`);
  }

  // ----- descriptors -----
  async strategy(kind, name) {
    return this.env.strategy(kind, name);
  }
  /** options for a definition with the given incident strategy ("Fault" | "ContinueWithIncidents"). */
  async incident(name, extra = {}) {
    return {
      autoUpdateConsumingWorkflows: false,
      ...extra,
      incidentStrategyType: await this.env.strategy('incident', name),
    };
  }

  // ----- side server -----
  async callback(handler) {
    const c = await this.env.callback(this.uid, handler);
    this.disposers.push(c.dispose);
    return c;
  }
  multipart(parts) {
    return multipart(parts);
  }

  async cleanup(signal) {
    const problems = [];
    const call = async (what, fn) => {
      try {
        await fn();
      } catch (e) {
        problems.push(`${what}: ${e.message}`);
      }
    };
    this.signal = signal;
    for (const d of this.disposers.splice(0).reverse()) await call('dispose', async () => d());
    if (this.env.keep) return problems;
    const ids = [...this.definitionIds];
    if (ids.length) {
      // Newest first: parents were deployed after the workflows they use.
      for (const id of ids.reverse())
        await call(`delete definition ${id}`, async () => {
          const r = await this.api('DELETE', `/workflow-definitions/${encodeURIComponent(id)}`, {
            expect: 'any',
            timeout: 10000,
          });
          if (![200, 204, 404].includes(r.status)) throw new Error(`status ${r.status}`);
        });
      await call('delete instances of definitions', async () => {
        await this.api('POST', '/bulk-actions/delete/workflow-instances', {
          body: { workflowDefinitionIds: ids },
          expect: 'any',
          timeout: 10000,
        });
      });
    }
    const instances = [...this.instanceIds];
    if (instances.length)
      await call('delete instances', async () => {
        await this.api('POST', '/bulk-actions/delete/workflow-instances', {
          body: { ids: instances },
          expect: 'any',
          timeout: 10000,
        });
      });
    return problems;
  }
}
