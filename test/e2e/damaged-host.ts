import { expect } from '@jest/globals';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { ManagementOpenApi, WorkflowApiModule } from '@waymark/api';
import { createWaymarkDataSource } from '@waymark/typeorm';
import { AnswerCheck } from '../../libs/api/src/openapi/testing/answer-check.js';
import type { TestBackend } from '../support/backends.js';
import { startWhole } from './whole-application.js';

const API = '/elsa/api';

/** An application whose rows are damaged by SQL. Nothing fires: all of it is due in hours. */
export async function startDamagedHost(backend: TestBackend) {
  const persistence = await backend.create();
  const also = [WorkflowApiModule.forRoot({ allowAnonymous: true })];
  const host = await startWhole(new FastifyAdapter(), { persistence, also, scheduling: { pollIntervalMs: 3_600_000 } });
  const check = new AnswerCheck(host.app.get(ManagementOpenApi, { strict: false }).document());
  const dataSource = await createWaymarkDataSource(backend.url!, { tablePrefix: backend.tablePrefix }).initialize();
  const repairs: (() => Promise<void>)[] = [];
  return {
    host,
    /** Asks the API; its answer must be as its document says. */
    async ask(method: string, path: string, body?: object) {
      const { status, text, headers } = await host.call(
        method,
        API + path,
        body && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } },
      );
      const contentType = headers['content-type'] ?? '';
      expect(check.problemsOf({ method, path: API + path, status, contentType, text })).toEqual([]);
      return { status, json: text ? JSON.parse(text) : undefined };
    },
    /** @returns how a list names the row */
    async damage(table: string, column: string, id: string) {
      const name = `${backend.tablePrefix}${table}`;
      const [row] = await dataSource.query(`SELECT ${column} AS text FROM ${name} WHERE id = '${id}'`);
      const set = (text: string) =>
        dataSource.query(`UPDATE ${name} SET ${column} = '${text.replaceAll("'", "''")}' WHERE id = '${id}'`);
      await set('{"json":{"pin":"pa55word"');
      repairs.push(async () => void (await set(row.text)));
      return { code: 'WM1054', message: expect.stringContaining(`column "${column}" of the row with the id "${id}"`) };
    },
    /** Repairs what was damaged, so that tests after this one meet whole rows. */
    async repair(): Promise<void> {
      for (const mend of repairs.splice(0)) await mend();
    },
    /** For rows that are gone, or were written again. */
    forgetRepairs(): void {
      repairs.length = 0;
    },
    async close(): Promise<void> {
      await dataSource.destroy();
      await host.close();
      await backend.drop();
    },
  };
}

export type DamagedHost = Awaited<ReturnType<typeof startDamagedHost>>;

export const byId = (items: readonly { id: string }[], id: string) => items.find((item) => item.id === id);
