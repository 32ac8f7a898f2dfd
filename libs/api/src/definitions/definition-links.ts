/** A hint for clients: what they may do, and where. Studio takes a missing link to mean that it must not. */
export interface Link {
  readonly href: string;
  readonly rel: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
}

const link = (method: Link['method'], rel: string, href: string): Link => ({ href, rel, method });

const BASE = '/workflow-definitions';

/** Links of a list of definitions. @param isEditable false: those that change something are left out */
export function listLinks(isEditable: boolean): Link[] {
  const reading = [
    link('GET', 'self', BASE),
    link('GET', 'is-name-unique', `${BASE}/validation/is-name-unique`),
    link('GET', 'count', `${BASE}/query/count`),
    link('GET', 'many-by-id', `${BASE}/many-by-id`),
  ];
  if (!isEditable) return reading;
  return [
    ...reading,
    link('POST', 'bulk-delete-by-definition-id', `/bulk-actions/delete${BASE}/by-definition-id`),
    link('POST', 'bulk-delete-by-id', `/bulk-actions/delete${BASE}/by-id`),
    link('POST', 'bulk-publish', `/bulk-actions/publish${BASE}/by-definition-ids`),
    link('POST', 'bulk-retract', `/bulk-actions/retract${BASE}/by-definition-ids`),
    link('POST', 'import', `${BASE}/import`),
    link('POST', 'import-files', `${BASE}/import-files`),
    link('POST', 'create', BASE),
  ];
}

/** Links of one definition. */
export function definitionLinks(definitionId: string, isEditable: boolean): Link[] {
  const self = `${BASE}/${encodeURIComponent(definitionId)}`;
  const running = [
    link('GET', 'self', self),
    link('GET', 'self', `${BASE}/by-definition-id/${encodeURIComponent(definitionId)}`),
    link('GET', 'versions', `${self}/versions`),
    link('POST', 'bulk-dispatch', `${self}/bulk-dispatch`),
    link('POST', 'dispatch', `${self}/dispatch`),
    link('POST', 'execute', `${self}/execute`),
    link('POST', 'export', `${self}/export`),
  ];
  if (!isEditable) return running;
  return [
    ...running,
    link('POST', 'publish', `${self}/publish`),
    link('POST', 'retract', `${self}/retract`),
    link('DELETE', 'delete', self),
    link('PUT', 'import', `${self}/import`),
    link('POST', 'update-references', `${self}/update-references`),
  ];
}
