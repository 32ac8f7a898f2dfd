import { Module } from '@nestjs/common';
import { WorkflowModule } from '@waymark/nestjs';
import { TypeOrmPersistence } from '@waymark/typeorm';
import { CloseDay, Ledger } from './close-day.activity';
import { BerlinClosing, KolkataClosing, NewYorkClosing } from './closing.workflow';
import { LedgerController } from './ledger.controller';

@Module({
  imports: [
    WorkflowModule.forRoot({
      persistence: TypeOrmPersistence.fromUrl(process.env.DATABASE_URL ?? 'sqlite:nightly.db'),
    }),
  ],
  controllers: [LedgerController],
  providers: [Ledger, CloseDay, BerlinClosing, NewYorkClosing, KolkataClosing],
})
export class AppModule {}
