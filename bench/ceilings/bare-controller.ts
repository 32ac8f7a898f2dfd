import 'reflect-metadata';
import { Controller, Get, Module, Query } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { serveParent } from '../processes/serve-parent.js';
import { QUOTE_PATH } from '../workflows/quote.js';
import { quote, type QuoteQuery } from './quote.js';

@Controller('workflows')
class QuoteController {
  @Get(QUOTE_PATH)
  get(@Query() query: QuoteQuery): object {
    return quote(query);
  }
}

@Module({ controllers: [QuoteController] })
class Application {}

const app = await NestFactory.create<NestFastifyApplication>(Application, new FastifyAdapter(), { logger: false });
await app.listen(0, '127.0.0.1');
serveParent({ url: () => app.getUrl() }, () => app.close());
