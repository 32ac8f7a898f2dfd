// Storing, publishing and running definitions over the API.
import { Assertions } from './assertions.mjs';
import { plain } from './values.mjs';

export class Deployments extends Assertions {
  // ----- definitions -----
  track(definitionId) {
    if (definitionId) this.definitionIds.add(definitionId);
    return definitionId;
  }
  /** POST import: always gives a draft. Returns the definition as stored. */
  async import(model, o = {}) {
    this.track(model.definitionId);
    const r = await this.api('POST', '/workflow-definitions/import', { body: model, expect: o.expect ?? [200, 201] });
    if (r.json?.definitionId) this.track(r.json.definitionId);
    return o.raw ? r : r.json;
  }
  async publish(definitionId, o = {}) {
    const r = await this.api('POST', `/workflow-definitions/${encodeURIComponent(definitionId)}/publish`, {
      body: {},
      expect: o.expect ?? 200,
    });
    return o.raw ? r : (r.json?.workflowDefinition ?? r.json);
  }
  async retract(definitionId, o = {}) {
    const r = await this.api('POST', `/workflow-definitions/${encodeURIComponent(definitionId)}/retract`, {
      body: {},
      expect: o.expect ?? 200,
    });
    return o.raw ? r : r.json;
  }
  /** POST /workflow-definitions {model, publish}. */
  async save(model, { publish = false, expect, raw } = {}) {
    this.track(model.definitionId);
    const r = await this.api('POST', '/workflow-definitions', { body: { model, publish }, expect });
    const d = r.json?.workflowDefinition ?? r.json;
    if (d?.definitionId) this.track(d.definitionId);
    return raw ? r : d;
  }
  /** Import then publish, one or several (children first). Returns what the server published. */
  async deploy(models) {
    if (Array.isArray(models)) {
      const out = [];
      for (const m of models) out.push(await this.deploy(m));
      return out;
    }
    const d = await this.import(models);
    const definitionId = d?.definitionId ?? models.definitionId;
    const p = await this.publish(definitionId);
    return { ...p, definitionId, name: p?.name ?? models.name };
  }
  async definition(definitionId, versionOptions = 'Latest', o = {}) {
    const r = await this.api('GET', `/workflow-definitions/by-definition-id/${encodeURIComponent(definitionId)}`, {
      query: { versionOptions },
      expect: o.expect ?? 200,
    });
    return o.raw ? r : r.json;
  }
  deleteDefinition(definitionId, o = {}) {
    return this.api('DELETE', `/workflow-definitions/${encodeURIComponent(definitionId)}`, { expect: o.expect ?? 204 });
  }

  // ----- running -----
  async execute(definitionId, body = {}, { expect = 200, method = 'POST', timeout, headers } = {}) {
    const path = `/workflow-definitions/${encodeURIComponent(definitionId)}/execute`;
    const query =
      method === 'GET'
        ? Object.fromEntries(
            Object.entries(body).map(([k, v]) => [k, v !== null && typeof v === 'object' ? JSON.stringify(v) : v]),
          )
        : undefined;
    const r = await this.api(method, path, {
      body: method === 'GET' ? undefined : body,
      query,
      expect,
      timeout: timeout ?? 60000,
      headers,
    });
    const state = r.json?.workflowState ? plain(r.json.workflowState) : undefined;
    const instanceId = r.headers['x-elsa-workflow-instance-id'] ?? state?.id;
    if (instanceId) this.instanceIds.add(instanceId);
    return { response: r, status: r.status, headers: r.headers, state, instanceId };
  }
  /** deploy + execute */
  async run(model, body = {}, o = {}) {
    const models = Array.isArray(model) ? model : [model];
    const deployed = await this.deploy(models);
    const last = deployed[deployed.length - 1];
    const r = await this.execute(last.definitionId, body, o);
    return { ...r, definition: last, definitions: deployed };
  }
  async dispatch(definitionId, body = {}, o = {}) {
    const r = await this.api('POST', `/workflow-definitions/${encodeURIComponent(definitionId)}/dispatch`, {
      body,
      expect: o.expect,
    });
    if (r.json?.workflowInstanceId) this.instanceIds.add(r.json.workflowInstanceId);
    return o.raw ? r : r.json?.workflowInstanceId;
  }
}
