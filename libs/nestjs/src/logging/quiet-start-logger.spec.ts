import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { Controller, Get, Logger, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { QuietStartLogger } from './quiet-start-logger.js';

@Controller('tea')
class TeaController {
  @Get()
  get(): string {
    return 'tea';
  }
}

@Module({ controllers: [TeaController] })
class TeaModule {}

let written: string;
beforeEach(() => {
  written = '';
  const write = (text: string | Uint8Array) => (written += String(text)) !== '';
  jest.spyOn(process.stdout, 'write').mockImplementation(write);
  jest.spyOn(process.stderr, 'write').mockImplementation(write);
});
afterEach(() => Logger.overrideLogger(false));

it('writes what applications log, and neither modules nor routes', async () => {
  const app = await NestFactory.create(TeaModule, { logger: new QuietStartLogger({ colors: false }) });
  await app.init();
  const logger = new Logger('Shop');
  logger.log('open');
  logger.warn('no milk');
  new Logger('RouterExplorer').warn('a warning about routes');
  await app.close();
  const lines = written
    .trim()
    .split('\n')
    .map((line) => line.replace(/^.*?(LOG|WARN) /, '$1 '));
  expect(lines).toEqual([
    expect.stringMatching(/^LOG \[NestApplication\] Nest application successfully started/),
    expect.stringMatching(/^LOG \[Shop\] open/),
    expect.stringMatching(/^WARN \[Shop\] no milk/),
    expect.stringMatching(/^WARN \[RouterExplorer\] a warning about routes/),
  ]);
});

it('writes values that cannot be converted to text, such as a query, and lists that hold a name of Nest', () => {
  const logger = new QuietStartLogger({ colors: false });
  logger.log('query', Object.assign(Object.create(null), { from: 'tour' }));
  logger.log('contexts', ['RouterExplorer']);
  expect(written).toContain("from: 'tour'");
  expect(written).toContain('RouterExplorer');
});
