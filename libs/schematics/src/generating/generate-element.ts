import path from 'node:path';
import { addToModule } from '../module-editing/add-to-module.js';
import { typescriptOf } from '../module-editing/typescript-of.js';
import type { ElementOptions } from './element-options.js';
import { type ElementName, kebabCase, parseElementName } from './names.js';
import { nearestModule } from './nearest-module.js';
import { SchematicRefusedError } from './schematic-error.js';
import { type SchematicRule, type SchematicTree, textOf } from './schematic-tree.js';

/** What a template fills in. */
export interface TemplateNames {
  /** `ChargeCard`: what the name of the class begins with. */
  readonly name: string;
  /** `charge-card` */
  readonly id: string;
  /** The file of the class as its specification imports it: `./charge-card.activity.js`. */
  readonly file: string;
}

/** One kind of thing that can be generated. */
export interface ElementKind {
  /** `charge-card.activity.ts` */
  readonly suffix: string;
  readonly className: (name: string) => string;
  readonly source: (names: TemplateNames) => string;
  readonly specification: (names: TemplateNames) => string;
}

/**
 * The rule of a schematic: a file with the class, its specification, and the class in the providers of the nearest module.
 * @throws SchematicRefusedError, before anything is changed, for names that cannot be, files that exist, and modules that are not
 *   understood
 */
export function generateElement(kind: ElementKind, options: ElementOptions): SchematicRule {
  return (tree) => {
    const name = parseElementName(options.name);
    const folder = folderOf(name, options);
    const extension = importExtension(tree);
    const base = `${folder}/${name.fileName}.${kind.suffix}`;
    const files: [string, string][] = [];
    const names = { name: name.className, id: name.fileName, file: `./${name.fileName}.${kind.suffix}${extension}` };
    files.push([`${base}.ts`, kind.source(names)]);
    const specSuffix = kebabCase(options.specFileSuffix || 'spec');
    if (options.spec ?? true) files.push([`${base}.${specSuffix}.ts`, kind.specification(names)]);
    requireFreeName(kind.className(name.className), files);
    const existing = files.find(([file]) => tree.exists(file));
    if (existing) throw new SchematicRefusedError(`${existing[0]} exists: choose another name, or delete it.`);

    const registration = options.skipImport
      ? undefined
      : registered(tree, folder, `${base}${extension}`, kind.className(name.className));
    for (const [file, content] of files) tree.create(file, content);
    if (registration) tree.overwrite(registration.file, registration.text);
  };
}

/**
 * What these files import has its own name: `activity input` would make a class `Input` that has an `@Input()`. A class `String` would
 * hide that of the language, and with it the type of each input that is a text.
 */
function requireFreeName(className: string, files: readonly (readonly [string, string])[]): void {
  if (Object.hasOwn(globalThis, className))
    throw new SchematicRefusedError(
      `The class cannot be called ${className}, as JavaScript has one. Choose another name.`,
    );
  for (const [, text] of files)
    for (const [, names = '', from = ''] of text.matchAll(/^import (?:type )?\{([^}]*)\} from '([^']+)'/gm)) {
      const isTaken = names.split(',').some((name) => name.replace(/^\s*type /, '').trim() === className);
      if (isTaken && !from.startsWith('.'))
        throw new SchematicRefusedError(
          `The class cannot be called ${className}, because its file imports ${className} from ${from}. Choose another name.`,
        );
    }
}

function folderOf({ folder, fileName }: ElementName, { sourceRoot = 'src', path: below = '', flat }: ElementOptions) {
  const joined = path.posix.join('.', sourceRoot, below, folder, flat ? '.' : fileName);
  if (joined === '..' || joined.startsWith('../') || path.posix.isAbsolute(joined))
    throw new SchematicRefusedError(`"${below}" leads out of the project: give a path below ${sourceRoot}.`);
  return joined;
}

/** ES modules name the files that they import in full; CommonJS applications usually do not. */
function importExtension(tree: SchematicTree): string {
  try {
    const manifest = JSON.parse(textOf(tree, 'package.json') ?? '{}') as { type?: unknown };
    return manifest.type === 'module' ? '.js' : '';
  } catch {
    return '';
  }
}

function registered(
  tree: SchematicTree,
  folder: string,
  file: string,
  className: string,
): { file: string; text: string } | undefined {
  const module = nearestModule(tree, folder);
  if (module === undefined) return undefined;
  const relative = path.posix.relative(path.posix.dirname(module), file);
  const from = relative.startsWith('.') ? relative : `./${relative}`;
  const advice = `add ${className} to its providers yourself and give --skip-import`;
  const compiler = typescriptOf(process.cwd());
  if (!compiler)
    throw new SchematicRefusedError(
      `Neither TypeScript 5 nor 6 is installed here, to change ${module} (version 7 has no compiler API): install typescript@6, or ${advice}.`,
    );
  const edit = addToModule(compiler, textOf(tree, module) ?? '', { list: 'providers', className, from });
  if ('problem' in edit && edit.isNameTaken)
    throw new SchematicRefusedError(`${module} already has another ${className}. Choose another name.`);
  if ('problem' in edit)
    throw new SchematicRefusedError(`${module} cannot be changed, because ${edit.problem}: ${advice}.`);
  return { file: module, text: edit.text };
}
