import { expect, it } from '@jest/globals';
import { EventEmitter } from 'node:events';
import { withLimitedLocks } from './limited-locks.js';

it('a server that refuses the limits of locks ends nothing', () => {
  const pool = new EventEmitter();
  const driver = { version: 'x', createPool: (_options: object) => pool };
  const limited = withLimitedLocks(driver);
  expect(limited.version).toBe('x');
  expect(limited.createPool({})).toBe(pool);

  const asked: string[] = [];
  const refusing = {
    query: (sql: string, done: (error?: unknown) => void) => {
      asked.push(sql);
      done(new Error("Unknown system variable 'innodb_lock_wait_timeout'"));
    },
  };
  pool.emit('connection', refusing);
  expect(asked).toEqual(['SET SESSION innodb_lock_wait_timeout = 1/*M!100300 , idle_transaction_timeout = 5 */']);
});
