import { describe, expect, it } from '@jest/globals';
import { Redaction } from '../secrets/redaction.js';
import { convertValue } from './convert-value.js';
import { createDefaultTypeRegistry } from './default-types.js';
import { deserialize, serialize } from './storage-codec.js';
import { registerStorableType, type StorableType, StorableTypeConflictError } from './storable-type.js';
import { toPlainJson } from './to-plain-json.js';
import { findUnstorable } from './unstorable.js';

class Address {
  constructor(readonly city: string) {}
}

class Customer {
  constructor(
    readonly name: string,
    readonly since: Date,
    readonly address: Address,
  ) {}

  get greeting(): string {
    return `Dear ${this.name}`;
  }
}

/** In cents. */
class Price {
  constructor(
    readonly net: bigint,
    readonly tax: bigint,
  ) {}
}

class Basket {
  items = [1];
}

class VipCustomer extends Customer {}

const address: StorableType<Address> = {
  name: 'Address',
  type: Address,
  toData: ({ city }) => ({ city }),
  fromData: (data) => new Address((data as Address).city),
};
const customer: StorableType<Customer> = {
  name: 'Customer',
  type: Customer,
  toData: ({ name, since, address: at }) => ({ name, since, address: at }),
  fromData: (data) => {
    const { name, since, address: at } = data as Customer;
    return new Customer(name, since, at);
  },
};
const price: StorableType<Price> = {
  name: 'Price',
  type: Price,
  toData: ({ net, tax }) => ({ net, tax }),
  fromData: (data) => new Price((data as Price).net, (data as Price).tax),
};
registerStorableType(price as StorableType);
registerStorableType(address as StorableType);
registerStorableType(customer as StorableType);

const mia = new Customer('Mia', new Date(5), new Address('Ulm'));

describe('instances of registered classes', () => {
  it.each([
    ['one instance', () => new Price(0n, 0n)],
    ['two instances', () => [new Price(1n, 2n), new Price(2n, 3n)]],
    ['an instance and what is beside it', () => ({ total: 5n, price: new Price(5n, 0n) })],
    ['an object that has a form of its own', () => ({ constructor: 5n, other: [5n] })],
  ])('may have equal large numbers: %s', (_what, value) => {
    expect(deserialize(serialize(value()))).toEqual(value());
  });

  it('instances of registered classes are instances again when they are read, wherever they stand', () => {
    const value = { list: [mia], map: new Map([['mia', mia]]), undefined };
    const read = deserialize<typeof value>(serialize(value));
    expect(read).toEqual(value);
    expect(read.list[0]).toBeInstanceOf(Customer);
    expect(read.list[0]!.address).toBeInstanceOf(Address);
    expect(read.map.get('mia')!.greeting).toBe('Dear Mia');
    expect(deserialize(serialize(mia))).toBeInstanceOf(Customer);
  });

  it('instances of registered classes are shown as their data', () => {
    expect(toPlainJson({ mia })).toEqual({
      mia: { name: 'Mia', since: '1970-01-01T00:00:00.005+00:00', address: { city: 'Ulm' } },
    });
  });

  it('instances of registered classes are made of data, for an input or variable of that type', () => {
    const types = createDefaultTypeRegistry();
    const type = types.register('Address', { kind: 'object', storable: address as StorableType });
    expect(convertValue({ city: 'Ulm' }, type)).toEqual(new Address('Ulm'));
    expect(convertValue('{"city":"Ulm"}', type)).toBeInstanceOf(Address);
    const ulm = new Address('Ulm');
    expect(convertValue(ulm, type)).toBe(ulm);
    expect(convertValue([ulm], types.resolve('Address[]')!)).toEqual([ulm]);
    expect(() => convertValue('Ulm', type)).toThrow(expect.objectContaining({ code: 'WM1101' }));
  });

  it('instances of registered classes hide secrets that they contain', () => {
    const hidden = new Redaction().shown({ password: 'x', at: new Address('https://mia:pw@host/') });
    expect(JSON.stringify(toPlainJson(hidden))).not.toContain('pw@');
    const read = deserialize<{ at: Address }>(serialize(hidden));
    expect(read.at).toBeInstanceOf(Address);
    expect(read.at.city).not.toContain('pw');
  });
});

describe('instances of other classes', () => {
  it('instances of other classes are refused by their place', () => {
    expect(findUnstorable({ a: [new Basket()] }, 'variable "row"')).toEqual({
      path: 'variable "row".a[0]',
      reason: 'it is an instance of Basket',
    });
    expect(() => serialize({ basket: new Basket() })).toThrow("option 'types' of WorkflowModule");
  });

  it('instances of other classes are also those that derive from a registered one, and would lose what they have more', () => {
    expect(findUnstorable(new VipCustomer('V', new Date(), new Address('X')), 'v')?.reason).toContain('VipCustomer');
  });

  it('instances of other classes are distinguished from a class that cannot give its data', () => {
    class Broken {}
    const fails = (): never => {
      throw new Error('no');
    };
    registerStorableType({ name: 'Broken', type: Broken, toData: fails, fromData: fails });
    expect(findUnstorable({ b: new Broken() }, 'v')).toMatchObject({ path: 'v.b' });
  });
});

it('refuses one name for two classes, and two for one (WM1031)', () => {
  registerStorableType(address as StorableType);
  const two = [
    { ...address, type: Basket },
    { ...address, name: 'Other' },
  ];
  for (const wrong of two) expect(() => registerStorableType(wrong as never)).toThrow(StorableTypeConflictError);
});

it('says which class is missing (WM1032)', () => {
  const text = serialize(new Address('Ulm')).replaceAll('Address', 'Gone');
  expect(() => deserialize(text)).toThrow(expect.objectContaining({ code: 'WM1032', typeName: 'Gone' }));
});
