import 'reflect-metadata';
import { createWaymarkDataSource } from '@waymark/typeorm';

// For the TypeORM command line, for example: npm run typeorm -- migration:show -d ormconfig.ts
// The running server does not need it: it migrates its tables when it starts.
export default createWaymarkDataSource(process.env.DATABASE_URL ?? 'sqlite:data/waymark.db', {
  tablePrefix: process.env.WAYMARK_TABLE_PREFIX,
});
