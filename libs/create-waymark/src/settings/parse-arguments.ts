import { parseArgs } from 'node:util';
import { RefusedError } from '../refused-error.js';
import { ADAPTERS, DATABASES, type GivenSettings, PACKAGE_MANAGERS } from './settings.js';

/** What the command line asks for. */
export type ParsedArguments = 'help' | 'version' | GivenSettings;

const OPTIONS = {
  database: { type: 'string' },
  adapter: { type: 'string' },
  studio: { type: 'boolean' },
  'no-studio': { type: 'boolean' },
  'package-manager': { type: 'string' },
  'skip-install': { type: 'boolean' },
  tarballs: { type: 'string' },
  yes: { type: 'boolean', short: 'y' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const;

/**
 * Reads the command line.
 * @throws RefusedError for options that do not exist, and for values that they do not take
 */
export function parseArguments(argv: readonly string[]): ParsedArguments {
  const { values, positionals } = parsed(argv);
  if (values.help) return 'help';
  if (values.version) return 'version';
  if (positionals.length > 1)
    throw new RefusedError(`One directory at most can be given, not ${positionals.length}: ${positionals.join(', ')}.`);
  if (positionals[0]?.trim() === '')
    throw new RefusedError('The directory is empty: give a name, or "." for this one.');
  if (values.studio && values['no-studio']) throw new RefusedError('Give --studio or --no-studio, not both.');
  return {
    directory: positionals[0],
    database: oneOf('--database', values.database, DATABASES),
    adapter: oneOf('--adapter', values.adapter, ADAPTERS),
    studio: values.studio ? true : values['no-studio'] ? false : undefined,
    packageManager: oneOf('--package-manager', values['package-manager'], PACKAGE_MANAGERS),
    yes: values.yes ?? false,
    skipInstall: values['skip-install'] ?? false,
    tarballs: values.tarballs,
  };
}

function parsed(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true, strict: true });
  } catch (error) {
    const [sentence] = (error as Error).message.split(/\.\s|\n/);
    throw new RefusedError(`${sentence}. --help lists the options.`);
  }
}

function oneOf<T extends string>(option: string, value: string | undefined, choices: readonly T[]): T | undefined {
  if (value === undefined) return undefined;
  const found = choices.find((choice) => choice === value);
  if (found) return found;
  throw new RefusedError(`${option} takes ${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}, not "${value}".`);
}
