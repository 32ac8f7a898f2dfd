import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { transformSync as bySwc } from '@swc/core';
import * as waymark from '@waymark/nestjs';
import * as http from '@waymark/http';
import * as runtime from '@waymark/runtime';
import * as scheduling from '@waymark/scheduling';
import { VirtualClock } from '@waymark/testing';

const require = createRequire(import.meta.url);
const FOLDER = path.join(import.meta.dirname, 'application');
const FILES = ['activities', 'workflows', 'next-workflows'];

export type Compile = (source: string, file: string) => string;

const esbuild = (minify: boolean): Compile => {
  const { transformSync } = require('esbuild') as typeof import('esbuild');
  return (source) =>
    transformSync(source, {
      loader: 'ts',
      format: 'cjs',
      target: minify ? 'es2020' : 'es2022',
      minify,
      tsconfigRaw: { compilerOptions: { experimentalDecorators: true } },
    }).code;
};

export const tsc: Compile = (source) => {
  const ts = require('typescript') as typeof import('typescript');
  return ts.transpileModule(source, {
    compilerOptions: {
      module: ts.ModuleKind.CommonJS,
      target: ts.ScriptTarget.ES2022,
      experimentalDecorators: true,
      emitDecoratorMetadata: true,
      inlineSourceMap: true,
    },
  }).outputText;
};

const swc =
  (target: 'es2022' | 'es2017'): Compile =>
  (source) =>
    bySwc(source, {
      module: { type: 'commonjs' },
      sourceMaps: 'inline',
      jsc: { target, parser: { syntax: 'typescript', decorators: true }, transform: { decoratorMetadata: true } },
    }).code;

const withoutComments: Compile = (source, file) => tsc(source.replaceAll(/\/\*\*[\s\S]*?\*\/|^ *\/\/.*$/gm, ''), file);

export const COMPILERS: Record<string, Compile> = {
  tsc,
  swc: swc('es2022'),
  'swc, for older engines': swc('es2017'),
  esbuild: esbuild(false),
  'esbuild, minified': esbuild(true),
  'tsc, without comments': withoutComments,
};

/** The application as that compiler writes it. */
export function built(compile: Compile): Record<string, Record<string, unknown>> {
  const modules: Record<string, Record<string, unknown>> = {
    '@waymark/nestjs': waymark,
    '@waymark/http': http,
    '@waymark/runtime': runtime,
    '@waymark/scheduling': scheduling,
  };
  for (const name of FILES) {
    const code = compile(readFileSync(path.join(FOLDER, `${name}.ts`), 'utf8'), name);
    const module = { exports: {} };
    const load = (wanted: string): unknown => modules[wanted] ?? require(wanted);
    // oxlint-disable-next-line typescript/no-implied-eval -- what a compiler wrote is run as it would be
    new Function('module', 'exports', 'require', code)(module, module.exports, load);
    modules[`./${name}.js`] = module.exports;
  }
  return modules;
}

/** Starts an application with these workflows on the store, and says which versions there are then. */
export async function versionsAfter(persistence: waymark.WorkflowPersistence, workflows: unknown, activities: unknown) {
  @Module({
    imports: [waymark.WorkflowModule.forRoot({ persistence, clock: new VirtualClock() })],
    providers: [...(workflows as Type[]), ...Object.values(activities as Record<string, Type>)],
  })
  class AppModule {}
  const app = await NestFactory.createApplicationContext(AppModule, { logger: false });
  const { items } = await persistence.definitions.findMany({});
  await app.close();
  return items.map(({ definitionId, version, isPublished }) => `${definitionId} ${version} ${isPublished}`).toSorted();
}
