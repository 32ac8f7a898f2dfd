// `@jest/globals` of specifications that share modules: see hooks.cjs.
import { standIns } from './current-file.cjs';

export const { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test } = standIns;
export const { fdescribe, fit, xdescribe, xit, xtest } = standIns;
