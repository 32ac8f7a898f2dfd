import { Module } from '@nestjs/common';
import { WorkflowModule } from '@waymark/nestjs';
import { TypeOrmPersistence } from '@waymark/typeorm';
import { ChargeCard, RefundPayment, ReleaseStock, ReserveStock, ShipOrder } from './activities.js';
import { OrderWorkflow } from './order.workflow.js';
import { Bank, Carrier, Warehouse } from './services.js';

@Module({
  imports: [
    WorkflowModule.forRoot({
      persistence: TypeOrmPersistence.fromUrl(process.env.DATABASE_URL ?? 'sqlite:orders.db'),
      http: { basePath: '/workflows' },
    }),
  ],
  providers: [
    Bank,
    Carrier,
    Warehouse,
    ReserveStock,
    ReleaseStock,
    ChargeCard,
    RefundPayment,
    ShipOrder,
    OrderWorkflow,
  ],
})
export class AppModule {}
