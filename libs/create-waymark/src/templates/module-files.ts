import type { Database, Settings } from '../settings/settings.js';

const SQLITE_URL = 'sqlite:waymark.db';

/** An address without credentials, for messages and examples. */
export const EXAMPLE_URLS: Readonly<Record<Database, string>> = {
  sqlite: SQLITE_URL,
  mysql: 'mysql://USER:PASSWORD@127.0.0.1:3306/DATABASE',
  postgres: 'postgres://USER:PASSWORD@127.0.0.1:5432/DATABASE',
};

const API_IMPORTS = `\
    // Without a key the API is closed. Studio asks for it.
    WorkflowApiModule.forRoot({
      authentication: { apiKeys: process.env.WAYMARK_API_KEY ? [process.env.WAYMARK_API_KEY] : [] },
    }),
    StudioModule.forRoot({ path: '/studio' }),
`;

const LATE_API_IMPORTS = `\
    // Without a key the API is closed. Studio asks for it.
    WorkflowApiModule.forRootAsync({
      useFactory: () => ({
        authentication: { apiKeys: process.env.WAYMARK_API_KEY ? [process.env.WAYMARK_API_KEY] : [] },
      }),
    }),
    StudioModule.forRoot({ path: '/studio' }),
`;

/** What a user adds to a root module that the command does not change: the lines that `workflowsModule` would have brought. */
export const linesByHand = ({ studio, database }: Settings): string => `\
  import { WorkflowModule } from '@waymark/nestjs';
  import { TypeOrmPersistence } from '@waymark/typeorm';
${studio ? "  import { WorkflowApiModule } from '@waymark/api';\n  import { StudioModule } from '@waymark/studio';\n" : ''}\

  imports: [
    WorkflowModule.forRoot({
${database === 'sqlite' ? '' : `      // Set WAYMARK_DATABASE_URL: ${EXAMPLE_URLS[database]}\n`}\
      persistence: TypeOrmPersistence.fromUrl(process.env.WAYMARK_DATABASE_URL ${database === 'sqlite' ? `?? '${SQLITE_URL}'` : "?? ''"}),
      http: { basePath: '/workflows' },
    }),
${studio ? API_IMPORTS : ''}\
  ],`;

/** The root module of a new application. */
export const appModule = ({ studio }: Settings): string => `\
import { Module } from '@nestjs/common';
${studio ? "import { WorkflowApiModule } from '@waymark/api';\n" : ''}\
import { WorkflowModule } from '@waymark/nestjs';
${studio ? "import { StudioModule } from '@waymark/studio';\n" : ''}\
import { TypeOrmPersistence } from '@waymark/typeorm';
import { OrderWorkflow } from './orders/order.workflow.js';
import { PriceOrder } from './orders/price-order.activity.js';

@Module({
  imports: [
    WorkflowModule.forRoot({
      // Tests set no DATABASE_URL: everything is kept in memory then. main.ts does not start without one.
      persistence: process.env.DATABASE_URL ? TypeOrmPersistence.fromUrl(process.env.DATABASE_URL) : undefined,
      http: { basePath: '/workflows' },
    }),
${studio ? API_IMPORTS : ''}\
  ],
  providers: [OrderWorkflow, PriceOrder],
})
export class AppModule {}
`;

/** The module that an existing application imports. */
export const workflowsModule = ({ studio, database }: Settings, extension: string): string => `\
import { Module } from '@nestjs/common';
${studio ? "import { WorkflowApiModule } from '@waymark/api';\n" : ''}\
import { WorkflowModule } from '@waymark/nestjs';
${studio ? "import { StudioModule } from '@waymark/studio';\n" : ''}\
import { TypeOrmPersistence } from '@waymark/typeorm';
import { OrderWorkflow } from './order.workflow${extension}';
import { PriceOrder } from './price-order.activity${extension}';

@Module({
  imports: [
    // By factories, so that the environment is read when the application starts: a .env file is loaded later than this file.
    WorkflowModule.forRootAsync({
      useFactory: () => ({
        persistence: TypeOrmPersistence.fromUrl(databaseUrl()),
        http: { basePath: '/workflows' },
      }),
    }),
${studio ? LATE_API_IMPORTS : ''}\
  ],
  providers: [OrderWorkflow, PriceOrder],
})
export class WorkflowsModule {}

${database === 'sqlite' ? sqliteUrl : serverUrl(database)}`;

const sqliteUrl = `\
function databaseUrl(): string {
  return process.env.WAYMARK_DATABASE_URL ?? '${SQLITE_URL}';
}
`;

const serverUrl = (database: Database): string => `\
function databaseUrl(): string {
  const url = process.env.WAYMARK_DATABASE_URL;
  if (!url) throw new Error('WAYMARK_DATABASE_URL is not set: give it as ${EXAMPLE_URLS[database]}.');
  return url;
}
`;
