import { Logger } from '@nestjs/common';
import { logText } from './log-text.js';

/** Nest's logger for all that Waymark says: what came from outside cannot pass for an entry of its own. */
export class WorkflowLogger extends Logger {
  /** As Nest logs an error. */
  override error(message: unknown, ...rest: unknown[]): void {
    super.error(cleaned(message), ...rest.map(cleaned));
  }
  /** As Nest logs a warning. */
  override warn(message: unknown, ...rest: unknown[]): void {
    super.warn(cleaned(message), ...rest.map(cleaned));
  }
  /** As Nest logs a message. */
  override log(message: unknown, ...rest: unknown[]): void {
    super.log(cleaned(message), ...rest.map(cleaned));
  }
  /** As Nest logs what helps to find errors. */
  override debug(message: unknown, ...rest: unknown[]): void {
    super.debug(cleaned(message), ...rest.map(cleaned));
  }
}

const cleaned = (part: unknown): unknown => (typeof part === 'string' ? logText(part) : part);
