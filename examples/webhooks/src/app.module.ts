import { Module } from '@nestjs/common';
import { EnvironmentSecrets, webhookSignature, WorkflowModule } from '@waymark/nestjs';
import { TypeOrmPersistence } from '@waymark/typeorm';
import { Accounts, BookPayment } from './book-payment.activity';
import { PaymentWorkflow } from './payment.workflow';

@Module({
  imports: [
    WorkflowModule.forRoot({
      persistence: TypeOrmPersistence.fromUrl(process.env.DATABASE_URL ?? 'sqlite:webhooks.db'),
      // The secret is in WAYMARK_SECRET_PAYMENT_HOOK.
      secrets: [new EnvironmentSecrets()],
      http: {
        basePath: '/workflows',
        policies: { 'payment-provider': webhookSignature({ style: 'github', secret: 'payment-hook' }) },
        // What the provider calls a delivery: it sends no Idempotency-Key.
        idempotencyKeySelectors: [(request) => request.header('x-github-delivery')],
      },
    }),
  ],
  providers: [Accounts, BookPayment, PaymentWorkflow],
})
export class AppModule {}
