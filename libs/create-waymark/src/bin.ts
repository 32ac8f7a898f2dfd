#!/usr/bin/env node
import { createWaymark } from './create-waymark.js';
import { terminalQuestions } from './questions/ask.js';
import { install } from './writing/install.js';

process.exitCode = await createWaymark(process.argv.slice(2), {
  cwd: process.cwd(),
  environment: process.env,
  nodeVersion: process.version,
  questions: process.stdin.isTTY && process.stdout.isTTY ? terminalQuestions() : undefined,
  write: (text) => void process.stdout.write(text),
  writeError: (text) => void process.stderr.write(text),
  install,
});
