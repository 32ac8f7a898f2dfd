import { expect, it } from '@jest/globals';
import { AesCipher } from './aes-cipher.js';
import type { EncryptionKey } from './encryption-keys.js';

const key = (id: string): EncryptionKey => ({ id, key: new Uint8Array(32).fill(id.length) });

it('asks for a key that is missing once a second, however many values name it, and finds one that was added', async () => {
  const before = new AesCipher({ keys: () => [key('older')] });
  await before.load();
  const value = before.encrypt('text', 'variable x');

  let now = 0;
  let asked = 0;
  let keys = [key('new')];
  const cipher = new AesCipher({ keys: () => (asked++, keys) }, () => now);
  await cipher.load();
  const readMany = () => {
    for (let i = 0; i < 100; i++)
      expect(() => cipher.decrypt(value, 'variable x')).toThrow(expect.objectContaining({ code: 'WM3044' }));
  };
  readMany();
  await cipher.load();
  const askedAtOnce = asked;
  now = 999;
  readMany();
  await cipher.load();
  expect([askedAtOnce, asked]).toEqual([2, 3]);
  keys = [key('new'), key('older')];
  now = 1000;
  readMany();
  await cipher.load();
  expect(cipher.decrypt(value, 'variable x')).toBe('text');
});

it('survives a provider that fails when it is asked again', async () => {
  const other = new AesCipher({ keys: () => [key('older')] });
  await other.load();
  const value = other.encrypt('text', 'variable x');
  let fails = false;
  const cipher = new AesCipher({
    keys: () => {
      if (fails) throw new Error('the key service is out');
      return [key('new')];
    },
  });
  await cipher.load();
  fails = true;
  expect(() => cipher.decrypt(value, 'variable x')).toThrow(expect.objectContaining({ code: 'WM3044' }));
  await expect(cipher.load()).rejects.toThrow('the key service is out');
  expect(cipher.decrypt(cipher.encrypt('kept', 'variable y'), 'variable y')).toBe('kept');
});

it('asks a provider again that has not answered within half a minute', async () => {
  let now = 0;
  const answers: (() => readonly EncryptionKey[] | Promise<readonly EncryptionKey[]>)[] = [
    () => new Promise(() => {}),
    () => [key('new')],
  ];
  const cipher = new AesCipher({ keys: () => answers.shift()!() }, () => now);
  const first = cipher.load();
  now = 29_999;
  expect(cipher.load()).toBe(first);
  now = 30_000;
  await cipher.load();
  expect(cipher.currentKeyId).toBe('new');
});

it('does not go back to the keys of an answer that a later one has overtaken', async () => {
  let now = 0;
  let answerLate: (keys: readonly EncryptionKey[]) => void = () => undefined;
  const answers: (() => readonly EncryptionKey[] | Promise<readonly EncryptionKey[]>)[] = [
    () => new Promise((resolve) => (answerLate = resolve)),
    () => [key('new')],
  ];
  const cipher = new AesCipher({ keys: () => answers.shift()!() }, () => now);
  const first = cipher.load();
  now = 30_000;
  await cipher.load();
  answerLate([key('older')]);
  await first;
  expect(cipher.currentKeyId).toBe('new');
});
