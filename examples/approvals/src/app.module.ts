import { Module } from '@nestjs/common';
import { WorkflowModule } from '@waymark/nestjs';
import { TypeOrmPersistence } from '@waymark/typeorm';
import { ExpensesWorkflow } from './expenses.workflow.js';
import { PersonGuard } from './people.js';
import { TasksController } from './tasks.controller.js';

@Module({
  imports: [
    WorkflowModule.forRoot({
      persistence: TypeOrmPersistence.fromUrl(process.env.DATABASE_URL ?? 'sqlite:approvals.db'),
      http: { basePath: '/workflows' },
    }),
  ],
  controllers: [TasksController],
  providers: [ExpensesWorkflow, PersonGuard],
})
export class AppModule {}
