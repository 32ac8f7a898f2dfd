import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ShiftedClock } from '@waymark/testing';
import { createAdapter, createHost } from '../../src/host.js';
import { readSettings } from '../../src/settings/host-settings.js';
import { callHost, type HostAnswer } from '../support/host-call.js';

/**
 * The reference host in this process, with the settings of an environment, on a SQLite file of its own. What is about the process
 * itself, such as its end or its first lines, takes `BuiltHost`: that one loads all modules anew, for a second and a half.
 */
export class OwnHost {
  private readonly folder = mkdtempSync(path.join(tmpdir(), 'waymark-host-'));
  private app: NestFastifyApplication | undefined;

  constructor(private readonly env: Readonly<Record<string, string>> = {}) {}

  /** It has one when it has started. */
  url = '';

  async start(): Promise<void> {
    const settings = readSettings({ DATABASE_URL: `sqlite:${path.join(this.folder, 'host.db')}`, ...this.env });
    const testClock = settings.testClock ? new ShiftedClock() : undefined;
    this.app = await createHost(settings, createAdapter(settings), testClock);
    this.app.useLogger(false);
    await this.app.listen(0, settings.host);
    this.url = await this.app.getUrl();
  }

  async remove(): Promise<void> {
    await this.app?.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** As {@link callHost}. */
  call(method: string, route: string, body?: unknown, headers?: Record<string, string>): Promise<HostAnswer> {
    return callHost(this.url + route, method, body, headers);
  }
}
