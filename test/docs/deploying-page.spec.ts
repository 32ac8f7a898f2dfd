import 'reflect-metadata';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { Test } from '@nestjs/testing';
import {
  activity,
  Event,
  IEventPublisher,
  IWorkflowRuntime,
  Workflow,
  type WorkflowBuilder,
  type WorkflowDefinitionBuilder,
  WorkflowModule,
} from '@waymark/nestjs';
import { TypeOrmPersistence } from '@waymark/typeorm';
import Database from 'better-sqlite3';
import { createWaymark } from 'create-waymark';
import { ROOT } from './code-blocks.js';

const PAGE = readFileSync(path.join(ROOT, 'docs/deploying.md'), 'utf8');
const blockOf = (language: string): string => new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(PAGE)![1]!;

const folder = mkdtempSync(path.join(tmpdir(), 'waymark-deploying-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('the Dockerfile of the page', () => {
  const instructions = blockOf('dockerfile')
    .split('\n')
    .filter((line) => /^[A-Z]+ /.test(line))
    .map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)] as const);
  const those = (name: string) => instructions.filter(([each]) => each === name).map(([, rest]) => rest);

  it('copies and runs the files of a new application', async () => {
    const code = await createWaymark(['shop', '--yes', '--skip-install', '--studio'], {
      cwd: folder,
      environment: {},
      nodeVersion: 'v24.0.0',
      questions: undefined,
      write: () => {},
      writeError: () => {},
      install: async () => true,
    });
    expect(code).toBe(0);
    const manifest = JSON.parse(readFileSync(path.join(folder, 'shop/package.json'), 'utf8')) as {
      readonly scripts: Readonly<Record<string, string>>;
    };
    const copied = those('COPY')
      .filter((rest) => !rest.startsWith('--from'))
      .flatMap((rest) => rest.split(' ').slice(0, -1))
      // The installation writes it.
      .filter((file) => file !== 'package-lock.json');
    expect(copied.length).toBeGreaterThan(3);
    expect(copied.filter((file) => !existsSync(path.join(folder, 'shop', file)))).toEqual([]);
    for (const [, script] of those('RUN').flatMap((rest) => [...rest.matchAll(/^npm run (\S+)$/g)]))
      expect(manifest.scripts).toHaveProperty(script!);
    const started = JSON.parse(those('CMD')[0]!) as string[];
    expect(manifest.scripts.start).toContain(started.join(' '));
  });

  it('ends as a user without rights, and holds no secret', () => {
    expect(those('USER').at(-1)).toBe('node');
    expect(those('ARG')).toEqual([]);
    expect(those('ENV').join(' ')).not.toMatch(/KEY|TOKEN|SECRET|PASSWORD|URL/);
  });

  it('probes a route that the page documents', () => {
    const route = /127\.0\.0\.1:3000(\/\w+)(\/\w+)'/.exec(those('HEALTHCHECK')[0]!)!;
    expect(PAGE).toContain(`@Controller('${route[1]!.slice(1)}')`);
    expect(PAGE).toContain(`@Get('${route[2]!.slice(1)}')`);
  });
});

@Workflow({ id: 'waits' })
class Waits implements WorkflowBuilder {
  build(w: WorkflowDefinitionBuilder): void {
    w.root(activity(Event, { eventName: 'Paid' }, { id: 'wait' }));
  }
}

it('makes a backup of SQLite while a node runs, and an instance continues from it', async () => {
  const start = async (file: string) => {
    const persistence = TypeOrmPersistence.fromUrl(`sqlite:${path.join(folder, file)}`);
    const imports = [WorkflowModule.forRoot({ persistence })];
    const module = await Test.createTestingModule({ imports, providers: [Waits] }).compile();
    return module.init();
  };
  const original = await start('app.db');
  const client = await original.get(IWorkflowRuntime).createClient();
  await client.createAndRunInstance({ definition: 'waits' });

  const reader = new Database(path.join(folder, 'app.db'));
  reader.exec(blockOf('sql').replace('backup.db', path.join(folder, 'backup.db')));
  reader.close();
  await original.close();

  const restored = await start('backup.db');
  const { workflowInstanceId } = client;
  await restored.get(IEventPublisher).publish('Paid', { workflowInstanceId });
  const again = await restored.get(IWorkflowRuntime).createClient(workflowInstanceId);
  expect((await again.exportState()).subStatus).toBe('Finished');
  await restored.close();
});
