import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { ConsoleLogger } from '@nestjs/common';
import { activity, sequence, workflowActivity, type WorkflowDefinitionBuilder, WriteLine } from '@waymark/core';
import { IWorkflowDefinitionPublisher, IWorkflowRuntime, Workflow, type WorkflowBuilder } from '@waymark/runtime';
import { createWaymarkDataSource } from '@waymark/typeorm';
import type { DataSource } from 'typeorm';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { line, type RuntimeNode, startNode } from '../support/runtime-node.js';

// A version of a workflow class whose row is damaged concerns that workflow at most: the node starts.

/** One deployment's class of a workflow: its content is that many steps. */
function workflowClass(id: string, steps: number, version?: number) {
  @Workflow({ id, ...(version !== undefined && { version }) })
  class Steps implements WorkflowBuilder {
    build(w: WorkflowDefinitionBuilder): void {
      const lines = Array.from({ length: steps }, (_, n) =>
        activity(WriteLine, { text: `${id} ${n + 1} of ${steps}` }),
      );
      w.options({ usableAsActivity: true }).root(sequence(lines));
    }
  }
  return Steps;
}

describeOn(
  await testBackends('sqlite', 'mysql', 'postgres'),
  'a damaged row of a workflow class on $name',
  (backend) => {
    const open: RuntimeNode[] = [];
    let dataSource: DataSource;
    let tests = 0;
    let id: string;
    beforeEach(async () => {
      id = `coded${++tests}`;
      dataSource = await createWaymarkDataSource(backend.url!, { tablePrefix: backend.tablePrefix }).initialize();
    });
    afterEach(async () => {
      await dataSource.destroy();
      await Promise.all(open.splice(0).map((node) => node.close()));
    });
    afterAll(() => backend.drop());

    const deploy = async (...providers: ReturnType<typeof workflowClass>[]): Promise<RuntimeNode> => {
      const node = await startNode(await backend.create(), { providers });
      open.push(node);
      return node;
    };
    const damage = (version: number, data = '{"json":{"a":') =>
      dataSource.query(
        `UPDATE ${backend.tablePrefix}definitions SET data = '${data}' WHERE definition_id = '${id}' AND version = ${version}`,
      );
    const versions = async (): Promise<[number, boolean, boolean][]> => {
      const rows: Record<string, unknown>[] = await dataSource.query(
        `SELECT version, is_published, is_latest FROM ${backend.tablePrefix}definitions WHERE definition_id = '${id}' ORDER BY version`,
      );
      return rows.map((row) => [
        Number(row.version),
        Boolean(Number(row.is_published)),
        Boolean(Number(row.is_latest)),
      ]);
    };
    const run = async (node: RuntimeNode, definition: string) => {
      const client = await node.get(IWorkflowRuntime).createClient();
      await client.createAndRunInstance({ definition });
      return node.lines.splice(0);
    };

    it('an old version that is damaged keeps neither the node from starting nor a changed class from being published', async () => {
      await deploy(workflowClass(id, 1));
      await deploy(workflowClass(id, 2));
      await damage(1);
      const node = await deploy(workflowClass(id, 3));
      expect(await run(node, id)).toHaveLength(3);
      expect(await versions()).toEqual([
        [1, false, false],
        [2, false, false],
        [3, true, true],
      ]);
    });

    it('the damaged version of an older class stays as it is, and the newer class is published', async () => {
      await deploy(workflowClass(id, 1, 1), workflowClass(id, 2, 2));
      await damage(1);
      const errors = jest.spyOn(ConsoleLogger.prototype, 'error').mockReturnValue();
      const node = await deploy(workflowClass(id, 1, 1), workflowClass(id, 3, 3));
      expect(String(errors.mock.calls)).toContain(`Workflow '${id}'`);
      expect(await run(node, id)).toHaveLength(3);
      expect(await versions()).toEqual([
        [1, false, false],
        [2, false, false],
        [3, true, true],
      ]);
    });

    it('a damaged version that is published is named in the log, and other workflows start', async () => {
      await deploy(workflowClass(id, 1));
      await damage(1);
      const errors = jest.spyOn(ConsoleLogger.prototype, 'error').mockReturnValue();
      const node = await deploy(workflowClass(id, 2), workflowClass(`${id}-other`, 4));
      expect(String(errors.mock.calls)).toMatch(new RegExp(`Workflow '${id}' \\(Steps\\).* the id "${id}:v1"`));
      expect(await run(node, `${id}-other`)).toHaveLength(4);
      await expect(run(node, id)).rejects.toMatchObject({ code: 'WM1054' });
      expect(await versions()).toEqual([[1, true, true]]);
      // As the log says.
      await node.get(IWorkflowDefinitionPublisher).delete([id]);
      expect(await run(await deploy(workflowClass(id, 2)), id)).toHaveLength(2);
    });

    it('a published version that a newer build wrote stays published, and the node starts', async () => {
      await deploy(workflowClass(id, 1));
      await damage(1, '{"json":{"a":1},"meta":{"values":{"a":[["custom","later"]]}}}');
      const errors = jest.spyOn(ConsoleLogger.prototype, 'error').mockReturnValue();
      await deploy(workflowClass(id, 2));
      expect(String(errors.mock.calls)).toMatch(
        new RegExp(`Workflow '${id}' .* newer version of Waymark.* update this node`),
      );
      expect(await versions()).toEqual([[1, true, true]]);
    });

    it('a definition file whose published version is damaged is left out, and other files are published', async () => {
      const folder = await mkdtemp(path.join(tmpdir(), 'damaged-files-'));
      const write = (definitionId: string, text: string) =>
        writeFile(
          path.join(folder, `${definitionId}.json`),
          JSON.stringify({ definitionId, name: definitionId, root: line('L', text) }),
        );
      const start = async () => {
        const node = await startNode(await backend.create(), { definitionFolders: [folder] });
        open.push(node);
        return node;
      };
      try {
        await write(id, 'first');
        await start();
        await damage(1);
        await write(id, 'second');
        await write(`${id}-other`, 'other');
        const errors = jest.spyOn(ConsoleLogger.prototype, 'error').mockReturnValue();
        const node = await start();
        expect(String(errors.mock.calls)).toContain(`Workflow '${id}'`);
        expect(await run(node, `${id}-other`)).toEqual(['other']);
        expect(await versions()).toEqual([[1, true, true]]);
      } finally {
        await rm(folder, { recursive: true });
      }
    });

    it('a class that uses a workflow whose row is damaged is left out, and other workflows start', async () => {
      await deploy(workflowClass(id, 1));
      await damage(1);
      @Workflow({ id: `${id}-caller` })
      class Caller implements WorkflowBuilder {
        build(w: WorkflowDefinitionBuilder): void {
          w.root(workflowActivity(id));
        }
      }
      const errors = jest.spyOn(ConsoleLogger.prototype, 'error').mockReturnValue();
      const node = await deploy(Caller, workflowClass(`${id}-other`, 4));
      expect(String(errors.mock.calls)).toContain(`Workflow '${id}-caller'`);
      expect(await run(node, `${id}-other`)).toHaveLength(4);
    });
  },
);
