import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TSC } from '../../scripts/compiler.mjs';
import { itAfterQuick } from '../support/pairs.js';
import { codeBlocks, packageBlocks, readmeBlocks, ROOT, writeBlocks } from './code-blocks.js';

const COMPILE_MS = 240_000;

/** Each block is a file, named in its first line; blocks of one page import one another. */
describe('the TypeScript of the documentation and of the READMEs', () => {
  const ofReadme = readmeBlocks();
  const ofPages = codeBlocks();
  const ofPackages = packageBlocks();
  const blocks = [...ofReadme, ...ofPages, ...ofPackages];
  let folder: string;

  beforeAll(() => {
    folder = writeBlocks(blocks);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('has a file name in the first line of each block, once per page', () => {
    expect(ofPages.filter((block) => !block.name).map((block) => block.code)).toEqual([]);
    const names = ofPages.map((block) => `${block.page}/${block.name}`);
    expect(names).toHaveLength(new Set(names).size);
    expect(names).not.toHaveLength(0);
  });

  it('is there, in the README', () => {
    expect(ofReadme.map((block) => String(block.name)).toSorted()).toEqual([
      'app.module.ts',
      'file-changed.ts',
      'leave.service.ts',
      'manager-approval.ts',
    ]);
  });

  it('is there, in the README of each package', () => {
    expect(ofPackages.filter(({ name }) => !name)).toEqual([]);
    expect(ofPackages.map(({ page }) => page).toSorted()).toEqual(
      readdirSync(path.join(ROOT, 'libs'))
        .map((library) => `package-${library}`)
        .toSorted(),
    );
  });

  itAfterQuick(
    'compiles as printed',
    () => {
      writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(projectOfBlocks()));
      const { status, stdout } = spawnSync(process.execPath, [TSC, '-p', folder, '--pretty', 'false'], {
        cwd: folder,
        encoding: 'utf8',
      });
      expect(stdout).toBe('');
      expect(status).toBe(0);
    },
    COMPILE_MS,
  );
});

/** That of the project, but with the libraries as they are built, if they are: what users of the packages compile against. */
function projectOfBlocks() {
  const isBuilt = existsSync(path.join(ROOT, 'libs/nestjs/dist/index.d.ts'));
  return {
    extends: path.join(ROOT, 'tsconfig.spec.json'),
    compilerOptions: { ...(isBuilt && { customConditions: [] }) },
    include: ['**/*.ts'],
    exclude: [],
    references: [],
  };
}
