import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { refuseUnknown } from './refuse-unknown.js';

const KNOWN = { persistence: true, pollIntervalMs: true, basePath: true } as const;

describe('refuseUnknown', () => {
  it.each([
    ['persistance', "WorkflowModule has no option 'persistance'. Did you mean 'persistence'?"],
    ['pollInterval', "WorkflowModule has no option 'pollInterval'. Did you mean 'pollIntervalMs'?"],
    ['basepth', "WorkflowModule has no option 'basepth'. Did you mean 'basePath'?"],
    ['colour', "WorkflowModule has no option 'colour'. Its options: persistence, pollIntervalMs, basePath."],
    ['constructor', "WorkflowModule has no option 'constructor'. Its options: persistence, pollIntervalMs, basePath."],
  ])('suggests the nearest name, or lists all names: %s', (name, message) => {
    expect(() => refuseUnknown('WorkflowModule', { [name]: 1 }, KNOWN)).toThrow(
      expect.objectContaining({ code: 'WM1091', message }),
    );
  });

  it.each([undefined, null, {}, { persistence: undefined, basePath: '' }])('lets known names pass: %j', (options) => {
    expect(() => refuseUnknown('WorkflowModule', options, KNOWN)).not.toThrow();
  });

  const GROUPS = {
    nodeName: true,
    basePath: true,
    http: { members: { basePath: true, outgoing: { members: { allow: true, addresses: true } }, timeoutMs: true } },
    script: { members: { timeoutMs: true } },
  };

  it.each<[object, string]>([
    [
      { allow: 1 },
      "App has no option 'allow'. Did you mean 'http.outgoing.allow'? Write http: { outgoing: { allow: … } }.",
    ],
    [
      { adresses: 1 },
      "App has no option 'adresses'. Did you mean 'http.outgoing.addresses'? Write http: { outgoing: { addresses: … } }.",
    ],
    [{ timeoutMs: 1 }, "App has no option 'timeoutMs'. Did you mean 'http.timeoutMs' or 'script.timeoutMs'?"],
    [
      { http: { nodeName: 1 } },
      "Option 'http' of App has no option 'nodeName'. Did you mean 'nodeName' of App itself?",
    ],
    [
      { script: { basePath: 1 } },
      "Option 'script' of App has no option 'basePath'. Did you mean 'basePath' of App itself?",
    ],
    [
      { http: { outgoing: { basePth: 1 } } },
      "Option 'http.outgoing' of App has no option 'basePth'. Did you mean 'basePath' or 'http.basePath'?",
    ],
    [{ http: { outgoing: { alow: 1 } } }, "Option 'http.outgoing' of App has no option 'alow'. Did you mean 'allow'?"],
    [{ colour: 1 }, "App has no option 'colour'. Its options: nodeName, basePath, http, script."],
    [
      { http: { colour: 1 } },
      "Option 'http' of App has no option 'colour'. Its options: basePath, outgoing, timeoutMs.",
    ],
  ])('says in which group an option belongs: %j', (options, message) => {
    expect(() => refuseUnknown('App', options, GROUPS)).toThrow(expect.objectContaining({ code: 'WM1091', message }));
  });

  it('does not show all names below the message in a log', () => {
    const shown = (): string => {
      try {
        refuseUnknown('App', { nodeNam: 1 }, GROUPS);
      } catch (error) {
        expect((error as { known: readonly string[] }).known).toContain('basePath');
        return inspect(error);
      }
      return '';
    };
    expect(shown()).toContain("nearest: 'nodeName'");
    expect(shown()).not.toContain('basePath');
  });

  it('reads no value but those of groups', () => {
    const options = {
      get persistence(): never {
        throw new Error('read');
      },
      http: null,
    };
    expect(() => refuseUnknown('App', options, { persistence: true, ...GROUPS })).not.toThrow();
  });

  it.each([
    ['guard', "App has no option 'guard'. Give it beside 'useFactory'."],
    ['guards', "App has no option 'guards'. Did you mean 'guard'?"],
    ['users', "App has no option 'users'. It is an option of Users."],
    ['usres', "App has no option 'usres'. Its options: nodeName, basePath, http, script, guard."],
  ])('knows the options of others: %s', (name, message) => {
    const others = {
      beside: { guard: true },
      adviceOn: (of: string) => (of === 'users' ? 'It is an option of Users.' : undefined),
    };
    expect(() => refuseUnknown('App', { [name]: 1 }, GROUPS, others)).toThrow(expect.objectContaining({ message }));
  });
});
