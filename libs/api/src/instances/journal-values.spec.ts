import { describe, expect, it } from '@jest/globals';
import { MemoryPersistence } from '@waymark/runtime';
import { pairsOf } from '../../../../test/support/pairs.js';
import { resolveApiOptions } from '../module/api-options.js';
import { ADAPTERS, deploySeen, useServer } from '../module/api-harness.spec.js';

const FIRST = 'a'.repeat(700_000);
const SECOND = 'b'.repeat(700_000);

interface Entry {
  readonly eventName: string;
  readonly payload: { readonly Alteration: { readonly variableId: string; readonly value: unknown } };
}

interface Noted {
  readonly text: { readonly journalValue: string; readonly bytes: number; readonly href: string };
}

/** A failure need not print megabytes. */
const briefly = (value: unknown): unknown => {
  const { text } = value as { readonly text?: string };
  return text === FIRST ? 'first' : text === SECOND ? 'second' : value;
};

describe.each(pairsOf(ADAPTERS, 'fastify'))('large values in journals on %s', (adapter) => {
  const { call, execute } = useServer(adapter, deploySeen);

  /** An instance whose variable was changed to the first, the second and the first value again. */
  const changed = async (): Promise<string> => {
    const { id } = await execute('seen');
    for (const text of [FIRST, SECOND, FIRST])
      await call('POST', `/workflow-instances/${id}/variables`, { variables: [{ id: 'v-texts', value: { text } }] });
    return id;
  };
  const valuesIn = (entries: readonly Entry[]) =>
    entries.filter((e) => e.eventName === 'Altered').map((e) => briefly(e.payload.Alteration.value));

  it('large values in journals are shown up to the limit of the answer, which links to the others', async () => {
    const id = await changed();
    const page = await call('GET', `/workflow-instances/${id}/journal`);
    const [first, second, third] = valuesIn(page.json.items);
    expect([first, third]).toEqual(['first', 'first']);
    const { journalValue, bytes, href } = (second as Noted).text;
    expect(journalValue).toMatch(/^[0-9a-f]{64}$/);
    expect(bytes).toBe(SECOND.length + '{"json":""}'.length);
    expect(href).toBe(`workflow-instances/${id}/journal/values/${journalValue}`);
    const fetched = (await call('GET', `/${href}`)).json;
    expect({ ...fetched, value: briefly({ text: fetched.value }) }).toEqual({ journalValue, value: 'second' });
    const filtered = await call('POST', `/workflow-instances/${id}/journal`, {
      filter: { eventNames: ['Altered'] },
      skip: 1,
      take: 1,
    });
    expect(valuesIn(filtered.json.items)).toEqual(['second']);
  });

  it('large values in journals are not found under another name or instance', async () => {
    const id = await changed();
    const { items } = (await call('GET', `/workflow-instances/${id}/journal`)).json;
    const { journalValue } = (valuesIn(items)[1] as Noted).text;
    for (const path of [
      `${id}/journal/values/nope`,
      `${id}/journal/values/${'0'.repeat(64)}`,
      `other/journal/values/${journalValue}`,
    ])
      expect((await call('GET', `/workflow-instances/${path}`)).status).toBe(404);
  });

  it('large values in journals are all in an export, and come with its import', async () => {
    const id = await changed();
    const query = 'includeWorkflowExecutionLog=true&includeActivityExecutionLog=true';
    const file = await call('GET', `/workflow-instances/${id}/export?${query}`);
    expect(valuesIn(file.json.WorkflowExecutionLogRecords)).toEqual(['first', 'second', 'first']);
    expect(JSON.stringify(file.json.WorkflowState)).not.toContain('isRecorded');
    await call('DELETE', `/workflow-instances/${id}`);
    const form = new FormData();
    form.append('files', new Blob([file.bytes as BlobPart]), 'instance.json');
    expect((await call('POST', '/bulk-actions/import/workflow-instances', form)).json).toEqual({
      imported: 1,
      count: 1,
    });
    const again = await call('GET', `/workflow-instances/${id}/export?${query}`);
    expect(valuesIn(again.json.WorkflowExecutionLogRecords)).toEqual(['first', 'second', 'first']);
  });
});

/** Room for the first value and not for the second. */
const persistence = new MemoryPersistence({ maxJournalBytes: 1_000_000 });

describe.each(pairsOf(ADAPTERS, 'fastify'))('values that a journal does not keep on %s', (adapter) => {
  const { call, execute } = useServer(adapter, deploySeen, undefined, { persistence });

  it('values that a journal does not keep are shown by their kind, their size and their beginning, and the variable has the whole value', async () => {
    const { id } = await execute('seen');
    for (const text of [FIRST, SECOND])
      await call('POST', `/workflow-instances/${id}/variables`, { variables: [{ id: 'v-texts', value: { text } }] });
    // The answer has room for one value: the note of another one is shown in a further answer, or by its address.
    const { json } = await call('POST', `/workflow-instances/${id}/journal`, {
      filter: { eventNames: ['Altered'] },
      skip: 1,
      take: 1,
    });
    const note = {
      omittedValue: expect.stringMatching(/^[0-9a-f]{64}$/),
      bytes: SECOND.length + '{"json":""}'.length,
      kind: 'text',
      start: `"${'b'.repeat(199)}`,
    };
    const [{ text: shown }] = json.items.map((item: Entry) => item.payload.Alteration.value);
    expect(shown).toEqual(note);
    const value = await call('GET', `/workflow-instances/${id}/journal/values/${shown.omittedValue}`);
    expect(value.json).toEqual({ journalValue: shown.omittedValue, value: note });
    const variables = await call('GET', `/workflow-instances/${id}/variables`);
    expect(JSON.stringify(variables.json)).toContain(SECOND);
  });
});

describe('the options journalAnswerBytes and journalExportBytes', () => {
  it.each([-1, 1.5, 300_000_000, NaN])('the options journalAnswerBytes and journalExportBytes refuse %d', (bytes) => {
    expect(() => resolveApiOptions({ journalAnswerBytes: bytes })).toThrow("'journalAnswerBytes'");
    expect(() => resolveApiOptions({ journalExportBytes: bytes })).toThrow("'journalExportBytes'");
  });
});
