// Reads Elsa's own test workflows from a checkout at run time (working tree first, then `git show HEAD:path`)
// and renames every identity in them, so that cases do not disturb one another or what the server already has.
import fs from 'node:fs';
import path from 'node:path';
import { execFileSync } from 'node:child_process';

export const IT = 'test/integration/Elsa.Workflows.IntegrationTests/Scenarios/';
export const ITA = 'test/integration/Elsa.Workflows.IntegrationTests/Activities/';
export const CT = 'test/component/Elsa.Workflows.ComponentTests/Scenarios/';

export function readFixture(checkout, rel) {
  if (!checkout) return undefined;
  const file = path.join(checkout, rel);
  let text;
  if (fs.existsSync(file)) text = fs.readFileSync(file, 'utf8');
  else {
    try {
      text = execFileSync('git', ['-C', checkout, 'show', `HEAD:${rel}`], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
        maxBuffer: 64 << 20,
      });
    } catch {
      return undefined;
    }
  }
  return JSON.parse(text.replace(/^\uFEFF/, ''));
}

/** Humanizer's Pascalize, as far as workflow names need it. */
export const pascalize = (s) => s.replace(/(?:[ _-]+|^)([a-zA-Z])/g, (_, c) => c.toUpperCase());

const EVENT_TYPES = new Set(['Elsa.Event', 'Elsa.PublishEvent']);
const BY_DEFINITION_ID = new Set(['Elsa.ExecuteWorkflow', 'Elsa.DispatchWorkflow', 'Elsa.BulkDispatchWorkflows']);

/**
 * @param {object[]} models parsed definitions that belong together
 * @param {string} uid lower-case alphanumerics
 * @param {{paths?:boolean, events?:boolean, options?:object, edit?:(model:object,index:number)=>void}} [o]
 */
export function isolate(models, uid, o = {}) {
  const suffix = '-' + uid,
    nameSuffix = 'Z' + uid;
  const definitionIds = new Map(),
    versionIds = new Map(),
    types = new Map();
  for (const m of models) {
    if (m.definitionId) definitionIds.set(m.definitionId, m.definitionId + suffix);
    if (m.id) versionIds.set(m.id, m.id + suffix);
    if (m.name) types.set(pascalize(m.name), pascalize(m.name) + nameSuffix);
  }
  const literal = (i) =>
    i &&
    i.expression &&
    (i.expression.type === 'Literal' || i.expression.type === undefined) &&
    typeof i.expression.value === 'string'
      ? i.expression
      : undefined;
  const walk = (n) => {
    if (Array.isArray(n)) {
      n.forEach(walk);
      return;
    }
    if (!n || typeof n !== 'object') return;
    if (typeof n.type === 'string' && typeof n.id === 'string') {
      const isSub = typeof n.workflowDefinitionId === 'string';
      if (isSub) {
        const known = definitionIds.has(n.workflowDefinitionId) || types.has(n.type);
        n.workflowDefinitionId = definitionIds.get(n.workflowDefinitionId) ?? n.workflowDefinitionId;
        for (const k of ['workflowDefinitionVersionId', 'latestAvailablePublishedVersionId'])
          if (typeof n[k] === 'string') n[k] = versionIds.get(n[k]) ?? n[k];
        if (known) n.type = types.get(n.type) ?? n.type + nameSuffix;
      } else if (BY_DEFINITION_ID.has(n.type)) {
        const e = literal(n.workflowDefinitionId);
        if (e && definitionIds.has(e.value)) e.value = definitionIds.get(e.value);
      } else if (EVENT_TYPES.has(n.type) && o.events !== false) {
        const e = literal(n.eventName);
        if (e) e.value += suffix;
      } else if (n.type === 'Elsa.HttpEndpoint' && o.paths !== false) {
        const e = literal(n.path);
        if (e) e.value = `${uid}/${e.value.replace(/^\/+/, '')}`;
      }
    }
    for (const v of Object.values(n)) walk(v);
  };
  return models.map((source, index) => {
    const m = JSON.parse(JSON.stringify(source));
    const original = { definitionId: m.definitionId, id: m.id, name: m.name };
    if (m.definitionId) m.definitionId = definitionIds.get(m.definitionId);
    if (m.id) m.id = versionIds.get(m.id);
    if (m.name) m.name = m.name + nameSuffix;
    delete m.tenantId;
    delete m.$schema;
    delete m.links;
    walk(m.root);
    if (o.options) m.options = { ...(m.options || {}), ...o.options };
    if (o.edit) o.edit(m, index, original);
    return m;
  });
}

/** Depth-first search for an activity of a definition by id. */
export function findActivity(model, id) {
  let found;
  const walk = (n) => {
    if (found || !n || typeof n !== 'object') return;
    if (Array.isArray(n)) return n.forEach(walk);
    if (n.id === id && typeof n.type === 'string') {
      found = n;
      return;
    }
    Object.values(n).forEach(walk);
  };
  walk(model.root);
  return found;
}

/** Rewrites the simple C# scripts and expressions of Elsa's fixtures to JavaScript (hosts may disable C#). */
export function csharpToJs(model) {
  const text = (s) =>
    s
      .replace(/\$"([^"]*)"/g, (_, x) => '`' + x.replace(/\{/g, '${') + '`')
      .replace(/\bVariables\.(\w+)/g, 'get$1()')
      .replace(/\.ToString\(\)/g, '.toString()');
  const walk = (n) => {
    if (Array.isArray(n)) return n.forEach(walk);
    if (!n || typeof n !== 'object') return;
    if (n.type === 'Elsa.RunCSharp') {
      n.type = 'Elsa.RunJavaScript';
      if (n.script?.expression?.value) n.script.expression.value = text(n.script.expression.value);
    }
    if (n.type === 'CSharp' && typeof n.value === 'string') {
      n.type = 'JavaScript';
      n.value = text(n.value);
    }
    Object.values(n).forEach(walk);
  };
  walk(model.root);
  return model;
}
