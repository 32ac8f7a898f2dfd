import { HostTree } from '@angular-devkit/schematics';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { activitySchematic, triggerSchematic, workflowSchematic } from '../index.js';
import { kebabCase, pascalCase } from './names.js';
import type { SchematicTree } from './schematic-tree.js';

const MODULE = "import { Module } from '@nestjs/common';\n\n@Module({ providers: [] })\nexport class AppModule {}\n";

/** The engine's own tree. */
let tree: HostTree;
beforeEach(() => {
  tree = new HostTree();
  tree.create('package.json', '{ "type": "module" }');
  tree.create('src/app.module.ts', MODULE);
});

const files = () => tree.actions.map(({ path }) => path).toSorted();
const run = (rule: (tree: SchematicTree) => void) => rule(tree as unknown as SchematicTree);

describe('the schematics', () => {
  it('the schematics write a class, its specification, and its place in the nearest module', () => {
    run(activitySchematic({ name: 'payments/ChargeCard' }));
    expect(files()).toEqual([
      '/package.json',
      '/src/app.module.ts',
      '/src/payments/charge-card/charge-card.activity.spec.ts',
      '/src/payments/charge-card/charge-card.activity.ts',
    ]);
    expect(tree.readText('src/payments/charge-card/charge-card.activity.ts')).toContain('export class ChargeCard ext');
    expect(tree.readText('src/app.module.ts')).toBe(
      MODULE.replace(
        '\n\n',
        "\nimport { ChargeCard } from './payments/charge-card/charge-card.activity.js';\n\n",
      ).replace('[]', '[ChargeCard]'),
    );
  });

  it('the schematics name files without extension in CommonJS applications', () => {
    tree.overwrite('package.json', '{}');
    run(workflowSchematic({ name: 'order' }));
    expect(tree.readText('src/app.module.ts')).toContain("{ OrderWorkflow } from './order/order.workflow';");
    expect(tree.readText('src/order/order.workflow.spec.ts')).toContain("from './order.workflow';");
  });

  it('the schematics prefer the module of the folder', () => {
    tree.create('src/payments/payments.module.ts', MODULE);
    run(triggerSchematic({ name: 'paid', path: 'payments', flat: true, spec: false }));
    expect(tree.readText('src/payments/payments.module.ts')).toContain("{ Paid } from './paid.trigger.js';");
    expect(tree.readText('src/app.module.ts')).toBe(MODULE);
    expect(files()).not.toContain('/src/payments/paid.trigger.spec.ts');
  });

  it('the schematics take the source root and the suffix of specifications from the Nest CLI', () => {
    run(activitySchematic({ name: 'a', sourceRoot: 'apps/shop/src', specFileSuffix: 'test', flat: true }));
    expect(files()).toEqual([
      '/apps/shop/src/a.activity.test.ts',
      '/apps/shop/src/a.activity.ts',
      '/package.json',
      '/src/app.module.ts',
    ]);
  });

  it('the schematics change no module where none is wanted', () => {
    run(activitySchematic({ name: 'a', skipImport: true }));
    expect(tree.readText('src/app.module.ts')).toBe(MODULE);
  });

  it('the schematics change nothing when a file exists', () => {
    tree.create('src/a/a.activity.spec.ts', 'mine');
    expect(() => run(activitySchematic({ name: 'a' }))).toThrow('src/a/a.activity.spec.ts exists');
    expect(files()).toEqual(['/package.json', '/src/a/a.activity.spec.ts', '/src/app.module.ts']);
  });

  it('the schematics change nothing when the module is not understood', () => {
    tree.overwrite('src/app.module.ts', MODULE.replace('[]', 'all'));
    expect(() => run(activitySchematic({ name: 'a' }))).toThrow(
      'src/app.module.ts cannot be changed, because its providers are not written as a list in @Module(): add A to its providers yourself and give --skip-import.',
    );
    expect(files()).toEqual(['/package.json', '/src/app.module.ts']);
  });

  it.each(['', '1st', 'a/../../b', 'café!', '...'])('the schematics refuse the name %j', (name) => {
    expect(() => run(activitySchematic({ name }))).toThrow('cannot be a name');
    expect(files()).toHaveLength(2);
  });

  it.each([
    ['activity', 'Activity'],
    ['shop/input', 'Input'],
    ['test', 'Test'],
  ])('the schematics refuse the name %j, of which the class would be called as what it imports', (name, className) => {
    expect(() => run(activitySchematic({ name }))).toThrow(
      `The class cannot be called ${className}, because its file imports ${className} from `,
    );
    expect(files()).toHaveLength(2);
  });

  it.each(['string', 'shop/promise', 'date', 'map', 'error'])(
    'the schematics refuse the name %j of the language',
    (name) => {
      expect(() => run(activitySchematic({ name }))).toThrow('as JavaScript has one. Choose another name.');
      expect(files()).toHaveLength(2);
    },
  );

  it('the schematics name no way out that there is not, when the module has another class of that name', () => {
    tree.overwrite('src/app.module.ts', `import { A } from './letters';\n${MODULE}`);
    expect(() => run(activitySchematic({ name: 'a' }))).toThrow(
      /^src\/app\.module\.ts already has another A\. Choose another name\.$/,
    );
    expect(files()).toEqual(['/package.json', '/src/app.module.ts']);
  });

  it.each(['../elsewhere', '../../x'])('the schematics refuse the path %s', (path) => {
    expect(() => run(activitySchematic({ name: 'a', path: `../${path}` }))).toThrow('leads out of the project');
  });

  it.each([
    ['ChargeCard', 'charge-card', 'ChargeCard'],
    ['charge_card', 'charge-card', 'ChargeCard'],
    ['HTTPCall', 'http-call', 'HttpCall'],
    ['order2cash', 'order2cash', 'Order2cash'],
  ])('%s is %s in files and %s in code', (given, kebab, pascal) => {
    expect(kebabCase(given)).toBe(kebab);
    expect(pascalCase(given)).toBe(pascal);
  });
});
