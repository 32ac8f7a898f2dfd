import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/**
 * A folder of packages, for `NODE_PATH`, with a package in the place of Elsa Studio. What is tested with it is the page around the
 * components. @param components the script that defines them
 */
export function fakePackages(components: string): string {
  const packages = mkdtempSync(path.join(tmpdir(), 'waymark-elsa-studio-'));
  const folder = path.join(packages, '@elsa-workflows/elsa-studio-wasm');
  mkdirSync(path.join(folder, '_framework'), { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), '{ "name": "@elsa-workflows/elsa-studio-wasm" }');
  writeFileSync(path.join(folder, '_framework/blazor.webassembly.js'), components);
  return packages;
}
