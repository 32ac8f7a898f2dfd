import 'reflect-metadata';
import { runSpecsOf } from './code-blocks.js';

await runSpecsOf('coming-from-temporal');
