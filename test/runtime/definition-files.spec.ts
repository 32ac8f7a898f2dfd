import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeEach, expect, it } from '@jest/globals';
import { IWorkflowRuntime, WorkflowPersistence } from '@waymark/runtime';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { type RuntimeNode, startNode } from '../support/runtime-node.js';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** The definition that the page shows; its script is another one, since these nodes have no JavaScript. */
const [, example = ''] = /^```json\n(\{\n {2}"definitionId".*?)^```$/ms.exec(
  readFileSync(path.join(ROOT, 'docs/definition-files.md'), 'utf8'),
)!;
const greeting = (value: string): string => {
  const definition = JSON.parse(example) as { root: { text: { expression: object } } };
  definition.root.text.expression = { type: 'Literal', value };
  return JSON.stringify(definition);
};

describeOn(await testBackends(), 'definition files on $name', (backend) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'definition-files-'));
  const nodes: RuntimeNode[] = [];
  const closeAll = () => Promise.all(nodes.splice(0).map((each) => each.close()));
  afterAll(async () => {
    await closeAll();
    await backend.drop();
    rmSync(folder, { recursive: true });
  });
  beforeEach(closeAll);

  async function start(): Promise<RuntimeNode> {
    const node = await startNode(await backend.create(), { definitionFolders: [folder] });
    nodes.push(node);
    return node;
  }
  async function versions(node: RuntimeNode): Promise<unknown[]> {
    const found = await node.get(WorkflowPersistence).definitions.findVersions({ definitionId: 'greeting' });
    return found.map(({ version, isPublished, isReadonly }) => ({ version, isPublished, isReadonly }));
  }
  async function greets(node: RuntimeNode): Promise<string[]> {
    const client = await node.get(IWorkflowRuntime).createClient();
    await client.createAndRunInstance({ definition: 'greeting', input: { who: 'Mia' } });
    return node.lines;
  }

  it('definition files are published once by nodes that start at the same time, and found again by the next', async () => {
    writeFileSync(path.join(folder, 'greeting.json'), greeting('one'));
    copyFileSync(path.join(ROOT, 'package.json'), path.join(folder, '.hidden.json'));
    const [first, second] = await Promise.all([start(), start()]);
    const third = await start();
    for (const node of [first!, second!, third]) {
      expect(await versions(node)).toEqual([{ version: 1, isPublished: true, isReadonly: true }]);
      expect(await greets(node)).toEqual(['one']);
    }
  });

  it('a changed definition file is the next version after a restart of all nodes', async () => {
    writeFileSync(path.join(folder, 'greeting.json'), greeting('two'));
    const [first, second] = await Promise.all([start(), start()]);
    for (const node of [first!, second!]) {
      expect((await versions(node)).length).toBe(2);
      expect(await greets(node)).toEqual(['two']);
    }
  });
});
