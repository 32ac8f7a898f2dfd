import { inspect } from 'node:util';
import { WorkflowPersistence } from '@waymark/runtime';
import { event, line, sequence, useServer } from '../module/api-harness.spec.js';

const SECRET = 's3cret-of-ann';

const variable = (name: string, value: string, more: object = {}) => ({
  id: `v-${name}`,
  name,
  typeName: 'String',
  value,
  storageDriverTypeName: 'WorkflowInstanceStorageDriver',
  ...more,
});

describe('an instance that is exported and imported', () => {
  const { call, execute, app } = useServer(
    'fastify',
    (api) =>
      api.deploy('logs-in', sequence(event('E', 'go'), line('L')), {
        variables: [
          variable('login', JSON.stringify({ password: SECRET, user: 'ann' }), { typeName: 'ObjectDictionary' }),
          variable('address', `https://ann:${SECRET}@host/`),
          variable('iban', 'DE02', { storageDriverTypeName: 'EncryptedStorageDriver' }),
        ],
      }),
    {},
    { encryption: { keys: { keys: () => [{ id: 'k', key: Buffer.alloc(32, 1) }] } } },
  );

  const exported = async (id: string) => (await call('GET', `/workflow-instances/${id}/export`)).text;
  const imported = async (text: string) => {
    const form = new FormData();
    form.append('files', new Blob([text]), 'a.json');
    return (await call('POST', '/bulk-actions/import/workflow-instances', form)).json;
  };
  const stored = async (id: string) => {
    const { state } = (await app().get(WorkflowPersistence).instances.load(id))!;
    return inspect(state, { depth: Infinity });
  };

  it('keeps its secrets where the server has them, also when the file is edited elsewhere', async () => {
    const { id } = await execute('logs-in');
    const text = await exported(id);
    expect(text).not.toContain(SECRET);
    expect(await imported(text.replace('"ann"', '"bob"'))).toEqual({ imported: 1, count: 1 });
    const state = await stored(id);
    expect(state.split(SECRET)).toHaveLength(3);
    expect(state).toContain("'bob'");
    expect(state).toContain('EncryptedValue {');
    expect(state).not.toContain('(redacted)');
  });

  it('lacks its secrets elsewhere, and the answer names them', async () => {
    const { id } = await execute('logs-in');
    const text = await exported(id);
    await call('DELETE', `/workflow-instances/${id}`);
    const { warnings, ...counts } = await imported(text);
    expect(counts).toEqual({ imported: 1, count: 1 });
    expect(warnings[id]).toEqual([expect.stringMatching(/\(redacted\) in place of secrets.*login\.password/)]);
    expect(warnings[id][0]).toMatch(/address/);
  });
});
