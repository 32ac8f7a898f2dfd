import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'vite';

/** Beside the pages, which link to it. */
const FILE = 'third-party-licences.txt';
const TEXTS = /^(licen[cs]e|copying|notice|third-?party-?notice)/i;
/** Packages that come without a text, and the one of the same author and licence that has it. */
const TEXT_IS_IN: Readonly<Record<string, string>> = { 'react-remove-scroll-bar': 'react-remove-scroll' };

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly repository?: string | { readonly url?: string };
  readonly homepage?: string;
}

/**
 * Writes down the licences of everything that the pages hold. `build.license` of Vite leaves out what workers hold, such as
 * TypeScript, and where the sources are, which the licence of elkjs wants to be said.
 *
 * @returns one plugin for the pages, and one for the workers
 */
export function licences(): { readonly pages: Plugin; readonly workers: Plugin } {
  const folders = new Set<string>();
  const collect: Plugin['generateBundle'] = (_options, bundle) => {
    for (const chunk of Object.values(bundle))
      for (const id of chunk.type === 'chunk' ? chunk.moduleIds : []) {
        const folder = packageFolder(id);
        if (folder !== undefined) folders.add(folder);
      }
  };
  return {
    workers: { name: 'licences-of-workers', generateBundle: collect },
    pages: {
      name: 'licences',
      generateBundle: collect,
      writeBundle: ({ dir }) => writeFileSync(path.join(dir!, FILE), listOf(folders)),
    },
  };
}

/** `…/node_modules/@scope/name/lib/x.js?v=1` → `…/node_modules/@scope/name`. */
const packageFolder = (id: string): string | undefined =>
  /^(?!\0)(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(id.split('?', 1)[0]!)?.[1];

function listOf(folders: ReadonlySet<string>): string {
  const entries = [...folders].map((folder) => {
    const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Manifest;
    return { title: `${manifest.name} ${manifest.version}`, manifest, folder };
  });
  const byTitle = new Map(entries.map((entry) => [entry.title, entry]));
  const parts = [...byTitle.values()]
    .sort((left, right) => (left.title < right.title ? -1 : 1))
    .map(({ title, manifest, folder }) =>
      [`${title} (${manifest.license ?? 'see below'})`, sourceOf(manifest), '', textOf(manifest.name, folder)].join(
        '\n',
      ),
    );
  const lead = 'The pages of Waymark Studio contain these packages, each under its own licence.';
  return `${[lead, ...parts].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

function sourceOf({ repository, homepage }: Manifest): string {
  const url = (typeof repository === 'string' ? repository : repository?.url) ?? homepage ?? '';
  const source = url
    .replace(/^(?:git\+)?(?:ssh:\/\/)?git@([^:/]+)[:/]/, 'https://$1/')
    .replace(/^(?:git\+https?|git):/, 'https:')
    .replace(/\.git$/, '');
  return `Source: ${/^[\w.-]+\/[\w.-]+$/.test(source) ? `https://github.com/${source}` : source}`;
}

/** @throws Error for a package whose text is not known: it has to be looked at */
function textOf(name: string, folder: string): string {
  const texts = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && TEXTS.test(entry.name))
    .map(({ name: file }) => file);
  if (texts.length > 0) return texts.map((file) => readFileSync(path.join(folder, file), 'utf8').trim()).join('\n\n');
  const other = TEXT_IS_IN[name];
  if (other === undefined)
    throw new Error(`${name} has no text of its licence: look at it, then name where its text is.`);
  return textOf(other, path.join(folder.slice(0, -name.length), other));
}
