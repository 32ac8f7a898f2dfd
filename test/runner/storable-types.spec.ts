import { expect, it } from '@jest/globals';
import { StorableTypeConflictError } from '@waymark/core';
import { registerStorableType, storableTypeOfValue } from '@waymark/core/adapter';
import { rememberTypes } from './storable-types.cjs';

const register = (type: new () => object) =>
  registerStorableType({ name: 'shop.Parcel', type, toData: () => ({}), fromData: () => new type() });

class Parcel {}
class Other {}

it('forgets the classes that a file has registered, so that the next file may have others of the same name', () => {
  const forget = rememberTypes();
  register(Parcel);
  expect(() => register(Other)).toThrow(StorableTypeConflictError);
  forget();
  expect(storableTypeOfValue(new Parcel())).toBeUndefined();

  const keep = (register(Other), rememberTypes());
  keep();
  expect(storableTypeOfValue(new Other())).toBeDefined();
});
