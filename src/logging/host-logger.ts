import { QuietStartLogger } from '@waymark/nestjs';

/** How Nest reports that it cannot listen. The error reaches the caller as well, who says what to do. */
const CANNOT_LISTEN = /^Error: (listen|bind|getaddrinfo) E/;

/** The log of the host: everything from `log` upwards, without Nest's report of modules and routes. */
export class HostLogger extends QuietStartLogger {
  constructor() {
    super({ logLevels: ['log', 'warn', 'error', 'fatal'] });
  }

  override error(message: unknown, ...rest: unknown[]): void {
    if (rest.at(-1) === 'NestApplication' && CANNOT_LISTEN.test(String(message))) return;
    super.error(message, ...rest);
  }
}
