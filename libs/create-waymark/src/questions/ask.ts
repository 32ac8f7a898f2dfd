import { RefusedError } from '../refused-error.js';
import {
  type Adapter,
  ADAPTERS,
  type Database,
  DATABASES,
  DEFAULT_ADAPTER,
  DEFAULT_DATABASE,
  DEFAULT_DIRECTORY,
} from '../settings/settings.js';

/** Asks the user what the command line leaves open. */
export interface Questions {
  /** Asks for the folder of the application. */
  directory(): Promise<string>;
  /** Asks for the database. */
  database(): Promise<Database>;
  /** Asks for Express or Fastify. */
  adapter(): Promise<Adapter>;
  /** Asks whether to add Studio. */
  studio(): Promise<boolean>;
  /** Whether files of an application may be changed. */
  agrees(): Promise<boolean>;
}

const TITLES: Record<Database | Adapter, string> = {
  sqlite: 'SQLite, a file',
  mysql: 'MariaDB or MySQL',
  postgres: 'PostgreSQL',
  express: 'Express',
  fastify: 'Fastify',
};

/** Questions in a terminal. The package for them is loaded with the first one: most calls in scripts need none. */
export function terminalQuestions(): Questions {
  const prompts = () => import('@clack/prompts');
  const select = async <T extends Database | Adapter>(message: string, choices: readonly T[], initialValue: T) => {
    const options = choices.map((value) => ({ value: value as string, label: TITLES[value] }));
    return answered<T>((await (await prompts()).select({ message, options, initialValue })) as T | symbol);
  };
  return {
    directory: async () => {
      const message = 'In which directory?';
      const given = await (await prompts()).text({ message, placeholder: DEFAULT_DIRECTORY });
      return answered<string | undefined>(given)?.trim() || DEFAULT_DIRECTORY;
    },
    database: () => select('Which database stores the workflows?', DATABASES, DEFAULT_DATABASE),
    adapter: () => select('Which HTTP adapter?', ADAPTERS, DEFAULT_ADAPTER),
    studio: async () =>
      answered<boolean>(
        await (
          await prompts()
        ).confirm({ message: 'Add Studio, the web interface to draw, monitor and repair workflows?' }),
      ),
    agrees: async () => answered<boolean>(await (await prompts()).confirm({ message: 'Change these files?' })),
  };
}

/** What a question brings when it is left by Ctrl C is a symbol. */
function answered<T>(answer: T | symbol): T {
  if (typeof answer === 'symbol') throw new RefusedError('Nothing was changed.');
  return answer;
}
