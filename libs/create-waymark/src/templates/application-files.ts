import type { Settings } from '../settings/settings.js';
import { EXAMPLE_URLS } from './module-files.js';

export const mainFile = ({ adapter, studio }: Settings): string => {
  const isFastify = adapter === 'fastify';
  const types = isFastify
    ? "import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';\n"
    : '';
  const create = isFastify
    ? 'NestFactory.create<NestFastifyApplication>(AppModule, new FastifyAdapter({ forceCloseConnections: true }), { logger })'
    : 'NestFactory.create(AppModule, { forceCloseConnections: true, logger })';
  const pages = studio ? ', Studio at /studio' : '';
  return `\
// First: it reads .env, which the modules below look at.
import './environment.js';
import 'reflect-metadata';
import { Logger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
${types}\
import { QuietStartLogger } from '@waymark/nestjs';
import { AppModule } from './app.module.js';

// Leaves out Nest's report of every module and route.
const logger = new QuietStartLogger();
const app = await ${create};
// When the process is asked to end, running work is finished, the database closed, and the exit code is 0.
app.enableShutdownHooks(undefined, { useProcessExit: true });
await app.listen(process.env.PORT ?? 3000, process.env.HOST ?? '127.0.0.1');
new Logger('Application').log(\`Listening on \${await app.getUrl()}: workflows below /workflows${pages}\`);
`;
};

export const environmentFile = ({ database }: Settings): string => {
  const otherwise =
    database === 'sqlite'
      ? `process.env.DATABASE_URL ??= '${EXAMPLE_URLS.sqlite}';\n`
      : `if (!process.env.DATABASE_URL) {
  process.stderr.write('DATABASE_URL is not set: write it into .env, as ${EXAMPLE_URLS[database]}.\\n');
  process.exit(1);
}
`;
  return `\
import { existsSync } from 'node:fs';

// Variables that are set already win over those of the file.
if (existsSync('.env')) process.loadEnvFile('.env');
${otherwise}`;
};

export const specFile = ({ adapter }: Settings): string => {
  const isFastify = adapter === 'fastify';
  const types = isFastify
    ? "import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';\n"
    : '';
  const create = isFastify
    ? 'module.createNestApplication<NestFastifyApplication>(new FastifyAdapter({ forceCloseConnections: true }), { logger: false })'
    : 'module.createNestApplication({ forceCloseConnections: true, logger: false })';
  return `\
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
${types}\
import { Test } from '@nestjs/testing';
import { WorkflowTestBed } from '@waymark/testing';
import { AppModule } from '../app.module.js';

describe('the workflow of orders', () => {
  let app: INestApplication;
  let bed: WorkflowTestBed;

  // In memory, and on a clock that stands still: \`bed.advance(ms)\` moves it.
  beforeEach(async () => {
    const module = await WorkflowTestBed.prepare(Test.createTestingModule({ imports: [AppModule] })).compile();
    app = ${create};
    await app.listen(0, '127.0.0.1');
    bed = await WorkflowTestBed.of(app);
  });
  afterEach(() => bed.close());

  const order = async (body: object) =>
    fetch(\`\${await app.getUrl()}/workflows/orders\`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  it('answers with the price of an order', async () => {
    const answer = await order({ item: 'tea', count: 3 });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ item: 'tea', total: 750 });
  });

  it('refuses an incomplete order', async () => {
    for (const wrong of [{ item: 'tea' }, { item: 'tea', count: 'many' }, { count: 1 }, []]) {
      const answer = await order(wrong);
      expect(answer.status).toBe(400);
      expect(await answer.json()).toEqual({ message: 'An order has an item, and a count of 1 or more.' });
    }
  });
});
`;
};

export const JEST_CONFIG = `\
export default {
  testEnvironment: 'node',
  testMatch: ['<rootDir>/src/**/*.spec.ts'],
  // Starting an application takes its time on a busy machine.
  testTimeout: 30_000,
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\\\.{1,2}/.*)\\\\.js$': '$1' },
  transform: {
    '^.+\\\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
          target: 'es2022',
          keepClassNames: true,
        },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
};
`;
