import 'reflect-metadata';
import { Controller, Get, Module, Query } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import { EntitySchema, Repository } from 'typeorm';
import { argument, serveParent } from '../processes/serve-parent.js';
import { QUOTE_PATH } from '../workflows/quote.js';
import { dataSourceOptions } from './data-source-options.js';
import { quote, type QuoteQuery } from './quote.js';
import { rowId } from './row-id.js';

const { url, prefix } = argument<{ url: string; prefix: string }>();

interface QuoteRow {
  id: string;
  customer: string;
  amount: string;
  answer: string;
  createdAt: string;
}

// Not a decorated class: the name of the table is known only now.
const quotes = new EntitySchema<QuoteRow>({
  name: `${prefix}quote`,
  columns: {
    id: { type: 'varchar', length: 36, primary: true },
    customer: { type: 'varchar', length: 100 },
    amount: { type: 'varchar', length: 20 },
    answer: { type: 'text' },
    createdAt: { type: 'bigint' },
  },
});

@Controller('workflows')
class QuoteController {
  constructor(@InjectRepository(quotes) private readonly repository: Repository<QuoteRow>) {}

  @Get(QUOTE_PATH)
  async get(@Query() query: QuoteQuery): Promise<object> {
    const answer = quote(query);
    const { customer, amount } = query;
    const row = { id: rowId(), customer, amount, answer: JSON.stringify(answer), createdAt: String(Date.now()) };
    await this.repository.insert(row);
    return answer;
  }
}

@Module({
  imports: [
    TypeOrmModule.forRoot({ ...dataSourceOptions(url), entities: [quotes], synchronize: true }),
    TypeOrmModule.forFeature([quotes]),
  ],
  controllers: [QuoteController],
})
class Application {}

const app = await NestFactory.create<NestFastifyApplication>(Application, new FastifyAdapter(), { logger: false });
await app.listen(0, '127.0.0.1');
serveParent({ url: () => app.getUrl() }, () => app.close());
