import { expect, it } from '@jest/globals';
import { Test } from '@nestjs/testing';
import { IWorkflowRuntime } from '@waymark/nestjs';
import { ShiftedClock } from '@waymark/testing';
import { AppModule } from './app.module.js';
import { readSettings } from './settings/host-settings.js';

// All libraries in one application: what a module forgets to export fails here, before a host is started anywhere.
it.each([
  ['an open host', {}],
  ['a host with a key', { WAYMARK_API_KEY: 'a-key-of-32-characters-or-longer' }],
  ['a host for black-box tests', { WAYMARK_TEST_CLOCK: '1' }],
] as [string, Record<string, string>][])('%s provides all dependencies of its classes', async (_, environment) => {
  const settings = readSettings({ DATABASE_URL: 'sqlite::memory:', ...environment });
  const testClock = settings.testClock ? new ShiftedClock() : undefined;
  const host = await Test.createTestingModule({ imports: [AppModule.forRoot(settings, testClock)] }).compile();
  expect(host.get(IWorkflowRuntime)).toBeInstanceOf(IWorkflowRuntime);
  await host.close();
});
