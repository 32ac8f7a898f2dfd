import { ConsoleLogger } from '@nestjs/common';

/** Contexts in which Nest tells, line by line, how it puts an application together: over a hundred lines at every start. */
const ASSEMBLY = new Set(['InstanceLoader', 'NestFactory', 'RouterExplorer', 'RoutesResolver']);

/** How Nest reports that it cannot listen. The error reaches the caller as well, who says what to do. */
const CANNOT_LISTEN = /^Error: (listen|bind|getaddrinfo) E/;

/** The log of the host: everything from `log` upwards, without Nest's report of the assembly. */
export class HostLogger extends ConsoleLogger {
  constructor() {
    super({ logLevels: ['log', 'warn', 'error', 'fatal'] });
  }

  override log(message: unknown, ...rest: unknown[]): void {
    if (!ASSEMBLY.has(String(rest.at(-1)))) super.log(message, ...rest);
  }

  override error(message: unknown, ...rest: unknown[]): void {
    if (rest.at(-1) === 'NestApplication' && CANNOT_LISTEN.test(String(message))) return;
    super.error(message, ...rest);
  }
}
