import 'reflect-metadata';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import {
  Column,
  Entity,
  type MigrationInterface,
  PrimaryGeneratedColumn,
  type QueryRunner,
  Repository,
  Table,
} from 'typeorm';
import { dataSourceOptions } from './data-source-options.js';

/** The smallest Nest application with a database that one would write: an entity, a migration, two controllers. */
@Entity()
class Item {
  @PrimaryGeneratedColumn() id: number;
  @Column('varchar') name: string;
}

class CreateItem1700000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const columns = [
      { name: 'id', type: 'integer', isPrimary: true, isGenerated: true, generationStrategy: 'increment' as const },
      { name: 'name', type: 'varchar' },
    ];
    await runner.createTable(new Table({ name: 'item', columns }));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('item');
  }
}

@Controller('items')
class ItemController {
  constructor(@InjectRepository(Item) private readonly items: Repository<Item>) {}

  @Get()
  list(): Promise<Item[]> {
    return this.items.find({ take: 50 });
  }
}

@Controller('health')
class HealthController {
  constructor(@InjectRepository(Item) private readonly items: Repository<Item>) {}

  @Get()
  async check(): Promise<{ status: string }> {
    await this.items.query('select 1');
    return { status: 'healthy' };
  }
}

@Module({
  imports: [
    TypeOrmModule.forRoot({
      ...dataSourceOptions(process.env.DATABASE_URL!),
      entities: [Item],
      migrations: [CreateItem1700000000000],
      migrationsRun: true,
    }),
    TypeOrmModule.forFeature([Item]),
  ],
  controllers: [ItemController, HealthController],
})
class Application {}

const app = await NestFactory.create<NestFastifyApplication>(Application, new FastifyAdapter(), { logger: false });
await app.listen(Number(process.env.PORT), '127.0.0.1');
