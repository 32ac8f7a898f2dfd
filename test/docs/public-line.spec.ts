import 'reflect-metadata';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { InjectionToken } from '@nestjs/common';
import * as coreAdapter from '@waymark/core/adapter';
import * as core from '@waymark/core';
import * as expressions from '@waymark/expressions';
import * as httpAdapter from '@waymark/http/adapter';
import * as http from '@waymark/http';
import * as frontDoor from '@waymark/nestjs';
import * as runtimeAdapter from '@waymark/runtime/adapter';
import * as runtime from '@waymark/runtime';
import * as schedulingAdapter from '@waymark/scheduling/adapter';
import * as scheduling from '@waymark/scheduling';
import { codeBlocks, readmeBlocks, ROOT } from './code-blocks.js';

const USED_BY_GUIDES = /^@waymark\/(nestjs|typeorm|api|studio|testing)$/;

/** Of the libraries that a text imports, those that a guide should not need. */
const othersIn = (text: string): string[] =>
  [...text.matchAll(/from '(@waymark\/[^']+)'/g)].map(([, name]) => name!).filter((name) => !USED_BY_GUIDES.test(name));

/** What a page says to come from a package: "`Name` of `@waymark/x`", also of several names. */
const claimsOf = (page: string, text: string) =>
  [...text.matchAll(/((?:`\w+`(?:,|\s+and|\s+or)?\s+)+)of\s+`(@waymark\/[a-z/-]+)`/g)].flatMap(([, names, entry]) =>
    [...names!.matchAll(/`(\w+)`/g)].map(([, name]) => ({ page, name: name!, entry: entry! })),
  );

/** Types too: `api.md` has what is declared. */
function exportsOf(entry: string): ReadonlySet<string> {
  const report = readFileSync(path.join(ROOT, 'libs', entry.split('/')[1]!, 'api.md'), 'utf8');
  const section = report.split(/^## /m).find((part) => part.startsWith(`${entry}\n`)) ?? '';
  const [exported = ''] = section.split(/^### /m);
  const declared = exported.matchAll(
    /^(?:export \{ |(?:abstract )?class |interface |type |function |const |let |var )(\w+)/gm,
  );
  return new Set([...declared].map(([, name]) => name!));
}

describe('the public line', () => {
  it('lets guides and the README import from the front door, and from the package that they are about', () => {
    const blocks = [...readmeBlocks(), ...codeBlocks()];
    expect(blocks.flatMap(({ page, code }) => othersIn(code).map((name) => `${page}: ${name}`))).toEqual([]);
  });

  it('lets the examples import from the front door', () => {
    const files = readdirSync(path.join(ROOT, 'examples'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.includes('node_modules'))
      .map((file) => readFileSync(path.join(ROOT, 'examples', file), 'utf8'));
    expect(files.length).toBeGreaterThan(10);
    expect(files.flatMap(othersIn)).toEqual([]);
  });

  it('exports each name that a page attributes to a package', () => {
    const folders = ['docs', 'docs/activities'];
    const pages = folders.flatMap((folder) =>
      readdirSync(path.join(ROOT, folder)).flatMap((file) => (file.endsWith('.md') ? `${folder}/${file}` : [])),
    );
    const claims = pages.flatMap((page) => claimsOf(page, readFileSync(path.join(ROOT, page), 'utf8')));
    expect(claims.length).toBeGreaterThan(15);
    const wrong = claims.filter(({ name, entry }) => !exportsOf(entry).has(name));
    expect(wrong).toEqual([]);
  });

  it('exports from @waymark/nestjs everything that users of five packages need', () => {
    const there = new Set(Object.keys(frontDoor));
    const names = [core, runtime, expressions, http, scheduling].flatMap((entry) => Object.keys(entry));
    expect(names.filter((name) => !there.has(name))).toEqual([]);
  });

  it.each([
    ['core', core, coreAdapter],
    ['runtime', runtime, runtimeAdapter],
    ['http', http, httpAdapter],
    ['scheduling', scheduling, schedulingAdapter],
  ])('gives each name of %s one entry', (_name, users, adapters) => {
    const both = Object.keys(adapters).filter((name) => name in users);
    expect(both).toEqual([]);
  });
});

describe('the services of the module', () => {
  const exported = new Set(frontDoor.WorkflowModule.forRoot().exports as InjectionToken[]);
  const nameIn = (entry: object, token: InjectionToken) =>
    Object.entries(entry).find(([, value]) => value === token)?.[0];

  it('the services of the module are those that the page documents for applications', () => {
    const page = readFileSync(path.join(ROOT, 'docs/services.md'), 'utf8');
    const documented = [...page.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name!);
    const forUsers = [...exported].flatMap((token) => nameIn(frontDoor, token) ?? []);
    expect(documented.toSorted()).toEqual(forUsers.toSorted());
  });

  it('the services of the module are exports of an entry point, all of them', () => {
    const entries = [frontDoor, runtimeAdapter, httpAdapter, schedulingAdapter];
    const unknown = [...exported].filter((token) => entries.every((entry) => nameIn(entry, token) === undefined));
    expect(unknown).toEqual([]);
  });
});
