import 'reflect-metadata';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll } from '@jest/globals';
import { activitySchematic, type SchematicTree, triggerSchematic, workflowSchematic } from '@waymark/schematics';
import { ROOT } from './code-blocks.js';

// What the schematics write passes as it is: its specifications run here, as tests of this file.
const written = new Map<string, string>();
const tree: SchematicTree = {
  read: (file) => (file === 'package.json' ? new TextEncoder().encode('{ "type": "module" }') : null),
  exists: () => false,
  create: (file, content) => void written.set(file, content),
  overwrite: () => undefined,
  getDir: () => ({ subfiles: [] }),
};
activitySchematic({ name: 'charge-card' })(tree);
triggerSchematic({ name: 'payment-received' })(tree);
workflowSchematic({ name: 'order' })(tree);

mkdirSync(path.join(ROOT, 'test/docs/.tmp'), { recursive: true });
const folder = mkdtempSync(path.join(ROOT, 'test/docs/.tmp/schematics-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
for (const [file, content] of written) {
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
  writeFileSync(path.join(folder, file), content);
}
for (const file of written.keys()) if (file.endsWith('.spec.ts')) await import(path.join(folder, file));
