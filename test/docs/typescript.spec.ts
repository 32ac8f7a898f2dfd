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

  // The Nest CLI 11 writes CommonJS applications, which have neither.
  it('has no await outside of a function, and no import.meta, where users copy it into an application', () => {
    const ofApplications = blocks.filter(({ name }) => !name?.endsWith('.spec.ts'));
    const isWrong = ({ code }: { code: string }) => /^(?:await\b|[^\s/*].*= await\b)|\bimport\.meta\b/m.test(code);
    expect(ofApplications.filter(isWrong).map(({ page, name }) => `${page}/${name}`)).toEqual([]);
  });

  it('is there, in the README', () => {
    expect(ofReadme.map((block) => String(block.name)).toSorted()).toEqual([
      'app.module.ts',
      'file-changed.ts',
      'leave.service.ts',
      'leave.workflow.ts',
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

/** Of several signatures the compiler reports what does not fit the last one. */
itAfterQuick(
  'a mistake in an activity of a class is reported as what is wrong with its members',
  () => {
    const folder = writeBlocks([]);
    try {
      writeFileSync(path.join(folder, 'mistakes.ts'), MISTAKES);
      writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(projectOfBlocks()));
      const options = ['-p', folder, '--pretty', 'false'];
      const { stdout } = spawnSync(process.execPath, [TSC, ...options], { cwd: folder, encoding: 'utf8' });
      expect(stdout).toContain("'subjct' does not exist");
      expect(stdout).toContain("Property 'subject' is missing");
      expect(stdout).toContain("'sendAt' does not exist");
      expect(stdout).toContain("Type 'number' is not assignable");
      expect(stdout).not.toContain("is not assignable to parameter of type 'string'");
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
  COMPILE_MS,
);

const MISTAKES = `
import { activity, Activity, ActivityBase, HttpEndpoint, Input, Output, trigger, variable } from '@waymark/nestjs';
@Activity()
class SendMail extends ActivityBase {
  @Input() subject!: string;
  @Output() sentAt?: Date;
  execute(): void {}
}
const when = variable<Date>('when');
activity(SendMail, { subjct: 'x' });
activity(SendMail, {});
activity(SendMail, { subject: 'x' }, { outputs: { sendAt: when } });
trigger(HttpEndpoint, { path: 7 });
`;

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
