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

/** The default of an option, as the tables of the pages have it: `options-page.spec.ts` compares them with the sources. */
const defaultOf = (page: string, option: string): number => {
  const row = new RegExp(`^\\| \`${option}\` +\\| ([\\d,]+)`, 'm').exec(
    readFileSync(path.join(ROOT, 'docs', page), 'utf8'),
  );
  return Number(row![1]!.replaceAll(',', ''));
};

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

  it('probes a route that does not depend on the database, as what it fails replaces the container', () => {
    const route = /127\.0\.0\.1:3000(\/\w+)(\/\w+)'/.exec(those('HEALTHCHECK')[0]!)!;
    expect(PAGE).toContain(`@Controller('${route[1]!.slice(1)}')`);
    expect(PAGE).toContain(`@Get('${route[2]!.slice(1)}')`);
    expect(route.slice(1, 3)).toEqual(['/health', '/live']);
  });

  it('gives a node the time of a migration before its first answer', () => {
    const minutes = /--start-period=(\d+)m/.exec(those('HEALTHCHECK')[0]!)![1];
    expect(Number(minutes) * 60_000).toBeGreaterThan(defaultOf('persistence.md', 'migrationTimeoutMs'));
  });
});

it('a node on Kubernetes has the time of a migration before its liveness probe begins', () => {
  const probe = (name: string) => new RegExp(`^ *${name}: \\{ .* \\}$`, 'm').exec(blockOf('yaml'))![0];
  const path = (name: string) => /path: ([/\w]+)/.exec(probe(name))![1];
  const [, period, times] = /periodSeconds: (\d+), failureThreshold: (\d+)/.exec(probe('startupProbe'))!;
  expect(Number(period) * Number(times) * 1000).toBeGreaterThan(defaultOf('persistence.md', 'migrationTimeoutMs'));
  expect(['startupProbe', 'livenessProbe', 'readinessProbe'].map(path)).toEqual([
    '/health/live',
    '/health/live',
    '/health/ready',
  ]);
});

it('nginx accepts every body that the application accepts by default', () => {
  const megabytes = /client_max_body_size (\d+)m;/.exec(blockOf('nginx'))![1];
  const ofApi = ['bodyBytes', 'definitionBytes', 'importBytes'].map((option) => defaultOf('options.md', option));
  const largest = Math.max(defaultOf('options.md', 'http.bodyBytes'), ...ofApi);
  expect(Number(megabytes) * 2 ** 20).toBeGreaterThanOrEqual(largest);
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
