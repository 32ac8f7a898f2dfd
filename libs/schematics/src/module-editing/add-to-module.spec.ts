import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { addToModule } from './add-to-module.js';
import type { ModuleAddition } from './module-addition.js';

const charge: ModuleAddition = { list: 'providers', className: 'Charge', from: './charge.js' };
const edit = (text: string, addition = charge) => addToModule(ts, text, addition);

describe('adding a class to a module', () => {
  it.each([
    [
      'an empty list',
      "import { Module } from '@nestjs/common';\n\n@Module({ providers: [] })\nexport class AppModule {}\n",
      "import { Module } from '@nestjs/common';\nimport { Charge } from './charge.js';\n\n@Module({ providers: [Charge] })\nexport class AppModule {}\n",
    ],
    [
      'a list on one line',
      "import { Module } from '@nestjs/common';\n@Module({ providers: [A], exports: [A] })\nexport class AppModule {}\n",
      "import { Module } from '@nestjs/common';\nimport { Charge } from './charge.js';\n@Module({ providers: [A, Charge], exports: [A] })\nexport class AppModule {}\n",
    ],
    [
      'a list with a line for each',
      "import { Module } from '@nestjs/common';\n@Module({\n  providers: [\n    A, // the first\n    B,\n  ],\n})\nexport class AppModule {}\n",
      "import { Module } from '@nestjs/common';\nimport { Charge } from './charge.js';\n@Module({\n  providers: [\n    A, // the first\n    B,\n    Charge,\n  ],\n})\nexport class AppModule {}\n",
    ],
    [
      'a list of lines without a last comma',
      "import { Module } from '@nestjs/common';\n@Module({\n  providers: [\n    A,\n    B\n  ]\n})\nexport class AppModule {}\n",
      "import { Module } from '@nestjs/common';\nimport { Charge } from './charge.js';\n@Module({\n  providers: [\n    A,\n    B,\n    Charge\n  ]\n})\nexport class AppModule {}\n",
    ],
    [
      'metadata without the list',
      "import { Module } from '@nestjs/common';\n@Module({\n  imports: [A],\n})\nexport class AppModule {}\n",
      "import { Module } from '@nestjs/common';\nimport { Charge } from './charge.js';\n@Module({\n  imports: [A],\n  providers: [Charge],\n})\nexport class AppModule {}\n",
    ],
    [
      'empty metadata',
      'import { Module } from "@nestjs/common"\n@Module({})\nexport class AppModule {}\n',
      'import { Module } from "@nestjs/common"\nimport { Charge } from "./charge.js"\n@Module({\n  providers: [Charge],\n})\nexport class AppModule {}\n',
    ],
    [
      'a decorator without metadata',
      "import { Module } from '@nestjs/common';\n@Module()\nexport class AppModule {}\n",
      "import { Module } from '@nestjs/common';\nimport { Charge } from './charge.js';\n@Module({\n  providers: [Charge],\n})\nexport class AppModule {}\n",
    ],
    [
      'lines of Windows',
      "import { Module } from '@nestjs/common';\r\n@Module({\r\n  providers: [\r\n    A,\r\n  ],\r\n})\r\nexport class AppModule {}\r\n",
      "import { Module } from '@nestjs/common';\r\nimport { Charge } from './charge.js';\r\n@Module({\r\n  providers: [\r\n    A,\r\n    Charge,\r\n  ],\r\n})\r\nexport class AppModule {}\r\n",
    ],
  ])('goes into %s', (_, before, after) => {
    expect(edit(before)).toEqual({ text: after });
    expect(edit(after)).toEqual({ text: after });
  });

  it('keeps a comment after the last element of a list in its line', () => {
    const before = 'import { M as Module } from "x";\n@Module({ providers: [\n  A // first\n] })\nclass M {}\n';
    expect(edit(before)).toEqual({
      text: 'import { M as Module } from "x";\nimport { Charge } from "./charge.js";\n@Module({ providers: [\n  A,\n  Charge // first\n] })\nclass M {}\n',
    });
  });

  it.each([
    ['it has no class with @Module()', 'export const modules = [];\n'],
    ['it has 2 classes with @Module()', '@Module({})\nclass A {}\n@Module({})\nclass B {}\n'],
    ['@Module() is given something other than an object literal', '@Module(metadata)\nclass A {}\n'],
    ['its providers are not written as a list in @Module()', '@Module({ providers: all })\nclass A {}\n'],
    ['its providers are not written as a list in @Module()', '@Module({ providers })\nclass A {}\n'],
    ['its providers are not written as a list in @Module()', '@Module({ providers: [A].concat(all) })\nclass A {}\n'],
    ['the object of @Module() has a spread, which may hold its lists', '@Module({ ...metadata })\nclass A {}\n'],
    ['it has syntax errors', '@Module({ providers: [ })\nclass A {}\n'],
    ['it uses the name Charge for something else', "import { Charge } from 'bank';\n@Module({})\nclass A {}\n"],
    [
      'it uses the name Charge for something else',
      "import { Charge } from './bank/charge.js';\n@Module({ providers: [Charge] })\nclass A {}\n",
    ],
    ['it uses the name Charge for something else', '@Module({})\nclass A {}\nclass Charge {}\n'],
    ['it uses the name Charge for something else', 'const Charge = 1;\n@Module({})\nclass A {}\n'],
  ])('refuses a file because %s', (problem, text) => {
    const isNameTaken = problem.includes('the name Charge');
    expect(edit(text)).toEqual({ problem, ...(isNameTaken && { isNameTaken }) });
  });
});
