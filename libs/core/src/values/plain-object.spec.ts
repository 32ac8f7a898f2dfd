import { describe, expect, it } from '@jest/globals';
import vm from 'node:vm';
import { isPlainObject, prop, setMember } from './plain-object.js';

describe('isPlainObject', () => {
  it('is true for literals, objects without prototype and objects of another realm', () => {
    expect(isPlainObject({})).toBe(true);
    expect(isPlainObject(Object.create(null))).toBe(true);
    expect(isPlainObject(vm.runInNewContext('({ a: 1 })'))).toBe(true);
  });

  it.each([null, undefined, 1, 'x', [], new Date(), new Map(), new (class Order {})(), () => 1, Promise.resolve()])(
    'is false for %p',
    (value) => {
      expect(isPlainObject(value)).toBe(false);
    },
  );

  it('is false for a class instance of another realm', () => {
    expect(isPlainObject(vm.runInNewContext('new (class Order {})()'))).toBe(false);
    expect(isPlainObject(vm.runInNewContext('new Date()'))).toBe(false);
  });
});

describe('prop', () => {
  it('reads a member in any casing', () => {
    expect(prop({ CustomerId: 5 }, 'customerId')).toBe(5);
    expect(prop({ customerid: 5 }, 'CustomerId')).toBe(5);
  });

  it('prefers the exact name', () => {
    expect(prop({ ID: 1, id: 2, Id: 3 }, 'Id')).toBe(3);
  });

  it('does not see inherited members', () => {
    expect(prop({}, 'constructor')).toBeUndefined();
    expect(prop({}, '__proto__')).toBeUndefined();
    expect(prop([], 'Length')).toBeUndefined();
  });

  it('returns undefined for a value that is not an object', () => {
    expect(prop(null, 'a')).toBeUndefined();
    expect(prop('text', 'length')).toBeUndefined();
  });
});

describe('setMember', () => {
  it('makes __proto__ an own member', () => {
    const target: Record<string, unknown> = {};
    setMember(target, '__proto__', { polluted: true });
    expect(Object.keys(target)).toEqual(['__proto__']);
    expect(target.polluted).toBeUndefined();
    expect(JSON.stringify(target)).toBe('{"__proto__":{"polluted":true}}');
  });
});
