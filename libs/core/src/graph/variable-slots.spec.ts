import { dynamicVariable } from '../execution/dynamic-variable.js';
import type { VariableSlot } from './variable.js';
import { slotNamed, slotOfId } from './variable-slots.js';

const slot = (name: string, value: unknown, id = `id of ${name}`): VariableSlot => ({
  variable: dynamicVariable(name, id),
  value,
  dynamic: false,
});
const slots = (count: number): VariableSlot[] => Array.from({ length: count }, (_, i) => slot(`v${i}`, i));

describe.each([3, 5000])('the variables of a scope with %i', (count) => {
  it('the variables of a scope are found by name and by id, the first of each', () => {
    const all = [...slots(count), slot('v1', 'hidden'), slot('other', 'hidden', 'id of v2')];
    expect([slotNamed(all, 'v1')!.value, slotOfId(all, 'id of v2')!.value]).toEqual([1, 2]);
    expect([slotNamed(all, 'none'), slotOfId(all, 'none'), slotNamed(all, 'constructor')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('the variables of a scope are hidden by those that are declared later, before them', () => {
    const all = slots(count);
    expect(slotNamed(all, 'v1')!.value).toBe(1);
    all.unshift(slot('v1', 'new'), slot('more', 'also'));
    all.unshift(slot('v1', 'newest'));
    expect([slotNamed(all, 'v1')!.value, slotNamed(all, 'more')!.value, slotNamed(all, 'v2')!.value]).toEqual([
      'newest',
      'also',
      2,
    ]);
  });
});

it('declaring thousands of variables one by one, each looked for first, takes no time that grows with the square', () => {
  const all: VariableSlot[] = [];
  const before = process.cpuUsage();
  for (let i = 0; i < 20_000; i++) if (!slotNamed(all, `v${i}`)) all.unshift(slot(`v${i}`, i));
  let found = 0;
  for (let i = 0; i < 20_000; i++) if (slotNamed(all, `v${i}`)) found++;
  const { user } = process.cpuUsage(before);
  expect(found).toBe(20_000);
  expect(user / 1000).toBeLessThan(2000);
});
