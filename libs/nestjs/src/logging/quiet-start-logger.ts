import { ConsoleLogger } from '@nestjs/common';

/** Contexts in which Nest tells, line by line, how it puts an application together. */
const ASSEMBLY: ReadonlySet<unknown> = new Set(['InstanceLoader', 'NestFactory', 'RouterExplorer', 'RoutesResolver']);

/**
 * Nest's `ConsoleLogger`, with its options, that leaves out Nest's report of modules and routes: with the management API these are about
 * two hundred lines at every start. Warnings, errors, and lines of all other contexts are written.
 * @example
 * const app = await NestFactory.create(AppModule, { logger: new QuietStartLogger() });
 */
export class QuietStartLogger extends ConsoleLogger {
  /** Writes a line of level `log`, unless it reports a module or a route. */
  override log(message: unknown, ...rest: unknown[]): void {
    // Compared as it is: what stands last without a context may be any value, such as a query, which cannot be made text of.
    if (!ASSEMBLY.has(rest.at(-1))) super.log(message, ...rest);
  }
}
