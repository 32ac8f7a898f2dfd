import type { MigrationInterface } from 'typeorm';
import { CreateTables1795276800000 } from './1795276800000-create-tables.js';

/** In the order in which they run. Listed, not found by a pattern: a bundler would lose them. */
const MIGRATIONS = [CreateTables1795276800000] as const;

/** The migrations for tables with this prefix, as TypeORM's `migrations` option takes them. */
export function waymarkMigrations(prefix: string, schema?: string): (new () => MigrationInterface)[] {
  return MIGRATIONS.map((migration) => {
    return class extends migration {
      constructor() {
        super(prefix, schema);
      }
    };
  });
}
