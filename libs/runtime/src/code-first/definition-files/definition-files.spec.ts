import { mkdtempSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { activity, writeLine } from '@waymark/core';
import { canonicalJson } from '@waymark/core/adapter';
import { ACTIVITIES, Wait, workflow } from '../testing/code-samples.js';
import { CodeFirstNode } from '../testing/code-first-test.js';
import { CODE_PROPERTY, type CodeVersion } from '../../definitions/code-version-facts.js';
import { sha256 } from '../../engine/identity.js';
import { MemoryPersistence } from '../../persistence/memory/memory-persistence.js';

let folder: string;
let warn: jest.SpiedFunction<typeof Logger.prototype.warn>;
let persistence: MemoryPersistence;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'definition-files-'));
  persistence = new MemoryPersistence();
  jest.spyOn(Logger.prototype, 'log').mockImplementation(() => {});
  warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => {});
  warn.mockClear();
});
afterEach(() => rmSync(folder, { recursive: true }));

const literal = (value: string, typeName = 'String') => ({ typeName, expression: { type: 'Literal', value } });
const line = (text: string, id = 'line') => ({
  id,
  type: 'Elsa.WriteLine',
  text: literal(text),
});
const order = (text: string, more: object = {}) => ({
  id: 'f9c0',
  definitionId: 'order',
  name: 'Order',
  version: 3,
  isLatest: true,
  isPublished: true,
  root: line(text),
  ...more,
});
const write = (name: string, content: unknown): string => {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content));
  return file;
};
const node = (more: object = {}) =>
  new CodeFirstNode(persistence, ACTIVITIES, { definitionFolders: [folder], ...more });
const warnings = () => warn.mock.calls.map(([message]) => String(message));

describe('a definition file', () => {
  it('is stored as a published, read-only version with the id and number that it states, and runs', async () => {
    write('orders/order.json', order('from a file'));
    const started = await node().start();
    expect(await persistence.definitions.find({ definitionId: 'order' })).toMatchObject({
      id: 'f9c0',
      version: 3,
      name: 'Order',
      isLatest: true,
      isPublished: true,
      isReadonly: true,
      materializerName: 'Json',
      providerName: 'Files',
    });
    await started.run('f9c0');
    expect(started.lines).toEqual(['from a file']);
    expect(warnings()).toEqual([]);
  });

  it('is not written again while its content stays the same, however it is spaced and whenever it was exported', async () => {
    write('order.json', order('one'));
    await node().start();
    const counter = await persistence.definitions.changeCounter();
    write(
      'order.json',
      `\uFEFF${JSON.stringify(order('one', { toolVersion: '9.9', createdAt: '2030-01-01' }), null, 8)}`,
    );
    const again = await node().start();
    expect(await persistence.definitions.changeCounter()).toBe(counter);
    expect(again.published).toEqual([]);
  });

  it('is the same when it was exported again: what the server notes in a version does not count', async () => {
    write('order.json', order('one'));
    await node().start();
    write('order.json', await persistence.definitions.find({ definitionId: 'order' }));
    await node().start();
    write('order.json', await persistence.definitions.find({ definitionId: 'order', versionOptions: 'Latest' }));
    const third = await node().start();
    expect(await third.versions('order')).toEqual(['v3', 'v4 published latest']);
  });

  it('is a new version when it has changed, with the next number unless it states a higher one', async () => {
    write('order.json', order('one'));
    await node().start();
    write('order.json', order('two'));
    await node().start();
    expect(await node().versions('order')).toEqual(['v3', 'v4 published latest']);
    write('order.json', order('three', { id: 'f9c9', version: 9 }));
    const third = await node().start();
    expect(await third.versions('order')).toEqual(['v3', 'v4', 'v9 published latest']);
    expect(third.published).toEqual(['f9c9']);
    expect(await persistence.definitions.find({ definitionId: 'order', versionOptions: 4 })).toMatchObject({
      id: 'order:v4',
    });
  });

  it('is published by one of two nodes that start at once', async () => {
    write('order.json', order('one'));
    const nodes = [node(), node()];
    await Promise.all(nodes.map((each) => each.start()));
    expect(await nodes[0]!.versions('order')).toEqual(['v3 published latest']);
    expect(nodes.flatMap((each) => each.published)).toEqual(['f9c0']);
  });

  it('a definition file of an earlier deployment does not replace that of a later one', async () => {
    write('order.json', order('one'));
    await node({ deployment: { id: 'a', order: 1 } }).start();
    write('order.json', order('two'));
    await node({ deployment: { id: 'b', order: 2 } }).start();
    write('order.json', order('one'));
    const old = await node({ deployment: { id: 'a', order: 1 } }).start();
    expect(await old.versions('order')).toEqual(['v3', 'v4 published latest']);
  });

  it('a definition file with a revision is one version for the builds to which the revision was content and for this one', async () => {
    const file = write('order.json', order('one', { revision: 5 }));
    await node().start();
    const facts = async () => {
      const { revision, ...definition } = (await persistence.definitions.find({ id: 'f9c0' }))!;
      return { revision, definition, code: definition.customProperties[CODE_PROPERTY] as CodeVersion };
    };
    const { definitionId, name, root } = order('one');
    const ofBuildBefore = sha256(canonicalJson({ definitionId, name, revision: 5, root }));
    const ofContent = sha256(canonicalJson({ definitionId, name, root }));
    expect((await facts()).code.structure).toBe(ofBuildBefore);
    // As those builds, and one without the revision in the structure, have stored it.
    for (const hash of [ofBuildBefore, ofContent]) {
      const { revision, definition, code } = await facts();
      const customProperties = { [CODE_PROPERTY]: { ...code, structure: hash, fingerprint: hash } };
      const saved = [{ definition: { ...definition, customProperties }, expectedRevision: revision }];
      await persistence.definitions.apply({ saved, deletedIds: [], addedTriggers: [], removedTriggerIds: [] });
      const again = await node().start();
      expect(await again.versions('order')).toEqual(['v3 published latest']);
    }
    writeFileSync(file, JSON.stringify(order('one', { revision: 6 })));
    const exported = await node().start();
    expect(await exported.versions('order')).toEqual(['v3 published latest']);
  });

  it('a definition file that is gone leaves its workflow published, with a warning that says how to retract it', async () => {
    const file = write('order.json', order('one'));
    await node().start();
    rmSync(file);
    const without = await node().start();
    expect(await without.versions('order')).toEqual(['v3 published latest']);
    expect(warnings()).toEqual([expect.stringContaining("retract('order')")]);
  });

  it('one warning names the first ten of the files that are gone', async () => {
    for (let i = 10; i < 22; i++) write(`${i}.json`, order('one', { id: `v${i}`, definitionId: `order-${i}` }));
    await node().start();
    rmSync(folder, { recursive: true });
    mkdirSync(folder);
    await node().start();
    expect(warnings()).toEqual([
      expect.stringMatching(
        /^Workflows 'order-10', version 3; .*'order-19', version 3 and 2 more: .*retract\('order-10'\)/,
      ),
    ]);
  });

  it('takes over a definition that was imported before', async () => {
    write('order.json', order('one'));
    const started = await node().start();
    const { revision, ...row } = (await persistence.definitions.find({ definitionId: 'order' }))!;
    const imported = { ...row, isReadonly: false, customProperties: {}, providerName: undefined };
    const change = { deletedIds: [], addedTriggers: [], removedTriggerIds: [] };
    await persistence.definitions.apply({ ...change, saved: [{ definition: imported, expectedRevision: revision }] });
    await node().start();
    expect(await started.versions('order')).toEqual(['v3', 'v4 published latest']);
  });

  it('may use other files and workflow classes as activities, which are stored first', async () => {
    const used = (type: string, id: string) => ({ type, id: `use-${id}`, workflowDefinitionId: id });
    const root = {
      id: 'all',
      type: 'Elsa.Sequence',
      activities: [used('InFile', 'in-file'), used('InClass', 'in-class')],
    };
    write('a-user.json', { definitionId: 'user', root });
    write('b-used.json', {
      definitionId: 'in-file',
      name: 'In file',
      options: { usableAsActivity: true },
      root: line('file'),
    });
    const InClass = workflow({ id: 'in-class', name: 'In class' }, (w) =>
      w.options({ usableAsActivity: true }).root(writeLine('class')),
    );
    const started = await node().start(InClass);
    await started.run('user:v1');
    expect(started.lines).toEqual(['file', 'class']);
    expect(warnings()).toEqual([]);
  });

  it('is found behind a link, as in a mounted ConfigMap, and hidden files are skipped', async () => {
    const target = write('..data/order.json', order('one'));
    write('notes.txt', 'no definition');
    symlinkSync(target, path.join(folder, 'order.json'));
    symlinkSync(path.join(folder, '..data'), path.join(folder, 'linked-folder'));
    expect(await (await node().start()).versions('order')).toEqual(['v3 published latest']);
  });
});

describe('a definition file with mistakes that Elsa publishes as well', () => {
  it('is published with warnings that name the file', async () => {
    const file = write(
      'order.json',
      order('one', { root: { id: 'line', type: 'Elsa.WriteLine', txet: literal('x') } }),
    );
    write('other.json', { definitionId: 'other', root: { id: 'a', type: 'Acme.Unknown' } });
    await node().start();
    expect(warnings()).toEqual([
      expect.stringMatching(`^Workflow 'order', version 3, in ${file}: .* no input 'txet'.* Did you mean 'text'`),
      expect.stringContaining("other.json: Activity type 'Acme.Unknown' is not registered"),
    ]);
  });
});

describe('a definition file that cannot be used', () => {
  it.each<[what: string, content: unknown, member: string, says: string]>([
    ['no JSON', '{ "definitionId": "order",\n  "root": }', '', 'line 2, column 11'],
    ['a list', [order('one')], '', 'a file of its own'],
    ['no definition id', { root: line('one') }, 'definitionId', "'definitionId' is missing"],
    ['no root', { definitionId: 'order' }, 'root', "'root'"],
    ['a root that is null', order('one', { root: null }), 'root', "'root'"],
    ['a version that databases cannot store', order('one', { version: 2 ** 31 }), 'version', '2000000000'],
    ['bytes that are not UTF-8', Buffer.from('{\n"definitionId":"\u00f6l"}', 'latin1'), '', 'line 2'],
    ['UTF-16', Buffer.from(`\uFEFF${JSON.stringify(order('one'))}`, 'utf16le'), '', 'UTF-8'],
    [
      'an activity without type',
      { definitionId: 'order', root: { type: 'Elsa.Sequence', id: 's', activities: [{ id: 'a' }] } },
      'root.activities[0].type',
      'root.activities[0]',
    ],
    [
      'two activities with one id',
      { definitionId: 'order', root: { type: 'Elsa.Sequence', id: 's', activities: [line('a', 'x'), line('b', 'x')] } },
      'root.activities[1].id',
      "'x'",
    ],
    ['a workflow that cannot be published', order('one', { options: { incidentStrategyType: 'Hope' } }), '', "'Hope'"],
  ])('is an error with the file, the place and advice: %s', async (_, content, member, says) => {
    const file = write('bad.json', content);
    write('good.json', { definitionId: 'good', root: line('good') });
    const start = node().start();
    const error = await start.then(
      () => undefined,
      (e: unknown) => e as Error & { code: string },
    );
    expect(error).toMatchObject({ code: 'WM1050', file, member });
    expect(error!.message).toContain(file);
    expect(error!.message).toContain(says);
    expect(error!.message).toContain(
      "Correct the file, or remove it from the folders in the option 'definitionFolders'",
    );
    expect(await node().versions('order')).toEqual([]);
  });

  it('is refused before the first one is stored', async () => {
    write('a-good.json', order('one'));
    write('bad.json', '{');
    await expect(node().start()).rejects.toMatchObject({ code: 'WM1050' });
    expect(await node().versions('order')).toEqual([]);
  });

  it('has the definition id of another file, or of a class', async () => {
    const files = [write('a.json', order('one')), write('b.json', order('two'))];
    await expect(node().start()).rejects.toMatchObject({
      code: 'WM1050',
      file: files[0],
      member: 'definitionId',
      message: expect.stringContaining(files[1]!),
    });
    rmSync(files[1]!);
    const Sample = workflow({ id: 'order' }, (w) => w.root([activity(Wait)]));
    await expect(node().start(Sample)).rejects.toMatchObject({
      code: 'WM1050',
      file: files[0],
      message: expect.stringContaining('Sample'),
    });
  });

  it('uses itself as an activity through other files (WM1011)', async () => {
    const uses = (id: string, other: string) => ({
      definitionId: id,
      options: { usableAsActivity: true },
      root: { id: 'step', type: 'Elsa.WorkflowDefinitionActivity', workflowDefinitionId: other },
    });
    const files = [write('a.json', uses('a', 'b')), write('b.json', uses('b', 'a'))];
    await expect(node().start()).rejects.toMatchObject({
      code: 'WM1011',
      definitionIds: ['a', 'b', 'a'],
      sources: [files[0], files[1], files[0]],
      message: expect.stringContaining(`'a' (${files[0]}) → 'b' (${files[1]}) → 'a'. Remove one`),
    });
  });

  it('has more activities than the limit allows', async () => {
    const activities = [line('a', 'a'), line('b', 'b')];
    write('many.json', { definitionId: 'many', root: { type: 'Elsa.Sequence', id: 's', activities } });
    await expect(node({ maxActivities: 2 }).start()).rejects.toMatchObject({ code: 'WM1050' });
  });

  it('is in a folder that does not exist, or leads nowhere', async () => {
    const missing = path.join(folder, 'missing');
    await expect(node({ definitionFolders: [missing] }).start()).rejects.toMatchObject({
      code: 'WM1050',
      file: missing,
    });
    symlinkSync(missing, path.join(folder, 'lost.json'));
    await expect(node().start()).rejects.toMatchObject({ code: 'WM1050', file: path.join(folder, 'lost.json') });
  });
});
