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
});
