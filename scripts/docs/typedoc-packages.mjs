import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Converter } from 'typedoc';

/** Modules of the reference are called as the packages that they are imported from, not as the files that they lie in. */
export function load(app) {
  const root = path.join(import.meta.dirname, '../..');
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const module of project.children ?? []) {
      const library = /^(?:libs\/)?([\w-]+)(?:\/src(?:\/index)?)?$/.exec(module.name)?.[1];
      if (!library) throw new Error(`The module "${module.name}" is not the index of a library.`);
      module.name = JSON.parse(readFileSync(path.join(root, 'libs', library, 'package.json'), 'utf8')).name;
    }
  });
}
