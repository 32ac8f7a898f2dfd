import { ConsoleLogger } from '@nestjs/common';

/** Contexts in which Nest tells, line by line, how it puts an application together: over a hundred lines at every start. */
const ASSEMBLY = new Set(['InstanceLoader', 'NestFactory', 'RouterExplorer', 'RoutesResolver']);

/** The log of the host: everything from `log` upwards, without Nest's report of the assembly. */
export class HostLogger extends ConsoleLogger {
  constructor() {
    super({ logLevels: ['log', 'warn', 'error', 'fatal'] });
  }

  override log(message: unknown, ...rest: unknown[]): void {
    if (!ASSEMBLY.has(String(rest.at(-1)))) super.log(message, ...rest);
  }
}
