// ES modules get no `jest` global from Jest itself.
import { jest } from '@jest/globals';

globalThis.jest = jest;
