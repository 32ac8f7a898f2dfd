import { describe, expect, it } from '@jest/globals';
import vm from 'node:vm';
import { convertValue } from './convert-value.js';
import { createDefaultTypeRegistry } from './default-types.js';
import type { ValueType } from './value-type.js';

const types = createDefaultTypeRegistry();

function type(alias: string): ValueType {
  const found = types.resolve(alias);
  if (!found) throw new Error(`No type ${alias}`);
  return found;
}

const convert = (value: unknown, alias: string): unknown => convertValue(value, type(alias));
const convertStrictly = (value: unknown, alias: string): unknown => convertValue(value, type(alias), { strict: true });

const ALL = [
  'String',
  'Boolean',
  'Int16',
  'Int32',
  'Int64',
  'Double',
  'Decimal',
  'Object',
  'Guid',
  'DateTime',
  'TimeSpan',
  'ByteArray',
  'Stream',
  'JSON',
  'JsonObject',
  'StringMap',
  'HttpStatusCode',
  'List<String>',
  'EventStimulus',
];

describe('convertValue: null, undefined and blank text', () => {
  it.each(ALL)('null and undefined stay null for %s', (alias) => {
    expect(convertStrictly(null, alias)).toBeNull();
    expect(convertStrictly(undefined, alias)).toBeNull();
  });

  it.each(ALL.filter((alias) => !['String', 'Object'].includes(alias)))('blank text is null for %s', (alias) => {
    expect(convertStrictly('', alias)).toBeNull();
    expect(convertStrictly(' \n', alias)).toBeNull();
  });

  it('blank text stays text for String and Object', () => {
    expect(convert(' ', 'String')).toBe(' ');
    expect(convert('', 'Object')).toBe('');
  });
});

describe('convertValue: a value that fits is returned as it is', () => {
  const cases: [string, unknown][] = [
    ['String', 'text'],
    ['Boolean', false],
    ['Int32', 42],
    ['Int64', 2n ** 60n],
    ['Double', 1.5],
    ['DateTime', new Date(0)],
    ['TimeSpan', '1.02:03:04'],
    ['Guid', '6f9619ff-8b86-d011-b42d-00c04fc964ff'],
    ['ByteArray', Uint8Array.of(1, 2)],
    ['ByteArray', Buffer.from('ab')],
    ['Object', { a: [1] }],
    ['Object', '{"a":1}'],
    ['JSON', { a: 1 }],
    ['JsonElement', 5],
    ['HttpStatusCode', 'NotFound'],
    ['List<String>', ['a', 'b']],
    ['Int32[]', [1, 2, 3]],
    ['Object[]', [1, undefined, { a: 1 }]],
    ['List<List<Int32>>', [[1], [2, 3]]],
    ['StringMap', { a: 'x' }],
    ['ObjectDictionary', { a: 1 }],
    ['EventStimulus', { eventName: 'Paid' }],
    ['Stream', new (class Readable {})()],
    ['HashSet<String>', ['a', 'b']],
  ];
  it.each(cases)('%s', (alias, value) => {
    expect(convert(value, alias)).toBe(value);
  });
});

describe('convertValue: to String', () => {
  it.each<[unknown, string]>([
    [42, '42'],
    [0.1, '0.1'],
    [1_000_000_000_000_000, '1000000000000000'],
    [1e21, '1E+21'],
    [1e19, '1E+19'],
    [-2.5e20, '-2.5E+20'],
    [9_007_199_254_740_991, '9007199254740991'],
    [2 ** 62, '4611686018427388000'],
    [1_000_000_000_000_000.5, '1.0000000000000005E+15'],
    [-1.5e-7, '-1.5E-07'],
    [0.0000123, '1.23E-05'],
    [0.0001, '0.0001'],
    [1.25e100, '1.25E+100'],
    [Number.POSITIVE_INFINITY, 'Infinity'],
    [9007199254740993n, '9007199254740993'],
    [true, 'True'],
    [false, 'False'],
    [new Date('2026-08-01T10:11:12.5Z'), '2026-08-01T10:11:12.500Z'],
    [{ a: 1, b: [true] }, '{"a":1,"b":[true]}'],
    [[{ a: 1 }], '[{"a":1}]'],
    [['a', 'b'], '["a","b"]'],
    [new Map([['a', 1]]), '{"a":1}'],
    [Uint8Array.of(1, 2, 3), 'AQID'],
    [new URL('https://example.org/x'), 'https://example.org/x'],
    [new TypeError('no'), 'TypeError: no'],
    [{ toString: 1 }, '{"toString":1}'],
  ])('%p', (value, expected) => {
    expect(convert(value, 'String')).toBe(expected);
  });

  it('uses the text an object has of itself', () => {
    class Money {
      toString(): string {
        return '5 EUR';
      }
    }
    expect(convert(new Money(), 'String')).toBe('5 EUR');
  });

  it.each([() => 1, Symbol('s'), new (class Order {})(), Promise.resolve(), new Date(NaN)])(
    'refuses %p, which has no text',
    (value) => {
      expect(() => convert(value, 'String')).toThrow(expect.objectContaining({ code: 'WM1101' }));
    },
  );
});

describe('convertValue: to numbers', () => {
  it.each<[string, string, number | bigint]>([
    ['42', 'Int32', 42],
    [' -7 ', 'Int32', -7],
    ['+5', 'Int32', 5],
    ['007', 'Int32', 7],
    ['9007199254740991', 'Int64', 9007199254740991],
    ['9007199254740993', 'Int64', 9007199254740993n],
    ['-9223372036854775808', 'Int64', -9223372036854775808n],
    ['+9223372036854775807', 'Int64', 9223372036854775807n],
    ['1.5', 'Double', 1.5],
    ['-.5', 'Double', -0.5],
    ['5.', 'Double', 5],
    ['1e3', 'Double', 1000],
    ['12.50', 'Decimal', 12.5],
    ['NaN', 'Double', NaN],
    ['-infinity', 'Double', -Infinity],
  ])('reads %j as %s', (text, alias, expected) => {
    expect(convert(text, alias)).toBe(expected);
    expect(convertStrictly(text, alias)).toBe(expected);
  });

  it('is strict for types of a strict registry, the items of their lists included', () => {
    const types = createDefaultTypeRegistry({ strict: true });
    for (const [value, alias] of [
      ['abc', 'Int32'],
      ['3 dayz', 'TimeSpan'],
      ['soon', 'DateTime?'],
      [['1', 'x'], 'Int32[]'],
    ] as const)
      expect(() => convertValue(value, types.resolve(alias)!)).toThrow(expect.objectContaining({ code: 'WM1101' }));
    expect(convertValue(' ', types.resolve('Int32')!)).toBeNull();
  });

  it.each([
    ['abc', 'Int32'],
    ['1.5', 'Int32'],
    ['1,000', 'Double'],
    ['0x10', 'Int32'],
    ['1e3', 'Int32'],
    ['2147483648', 'Int32'],
    ['9223372036854775808', 'Int64'],
    ['NaN', 'Decimal'],
    ['1e29', 'Decimal'],
    ['1 2', 'Double'],
    ['.', 'Double'],
  ])('converts %j, which is not a %s, to 0, or throws in strict mode', (text, alias) => {
    expect(convert(text, alias)).toBe(0);
    expect(convert(text, `${alias}?`)).toBeNull();
    expect(() => convertStrictly(text, alias)).toThrow(expect.objectContaining({ code: 'WM1101' }));
  });

  it.each([
    [0.5, 0],
    [1.5, 2],
    [2.5, 2],
    [3.5, 4],
    [2.4999, 2],
    [2.5001, 3],
    [-0.5, 0],
    [-1.5, -2],
    [-2.5, -2],
    [1e9 + 0.5, 1e9],
  ])('rounds %d half to even', (value, expected) => {
    expect(convert(value, 'Int32')).toBe(expected);
    expect(convert(value, 'Int64')).toBe(expected);
  });

  it.each<[number | bigint, string]>([
    [2_147_483_648, 'Int32'],
    [-2_147_483_649, 'Int32'],
    [2_147_483_647.5, 'Int32'],
    [40_000, 'Int16'],
    [256, 'Byte'],
    [2 ** 63, 'Int64'],
    [2n ** 63n, 'Int64'],
    [2n ** 40n, 'Int32'],
    [NaN, 'Int32'],
    [Infinity, 'Int64'],
    [1e29, 'Decimal'],
    [NaN, 'Decimal'],
    [2_147_483_648, 'Int32?'],
  ])('%d overflows %s, in either mode', (value, alias) => {
    expect(() => convert(value, alias)).toThrow(/out of range/);
    expect(() => convertStrictly(value, alias)).toThrow(expect.objectContaining({ code: 'WM1101' }));
  });

  it('keeps an Int64 a number inside the safe range, a bigint outside', () => {
    expect(convert(5n, 'Int64')).toBe(5);
    expect(convert(2 ** 53, 'Int64')).toBe(9007199254740992n);
    expect(convert(5n, 'Int32')).toBe(5);
    expect(convert(5n, 'Double')).toBe(5);
  });

  it('has no negative zero among integers', () => {
    expect(convert(-0, 'Int32')).toBe(0);
    expect(convert('-0', 'Int32')).toBe(0);
  });

  it('counts true as 1', () => {
    expect(convert(true, 'Int32')).toBe(1);
    expect(convert(false, 'Double')).toBe(0);
  });

  it.each([[{}], [[1]], [new Date()]])('refuses %p, in either mode', (value) => {
    expect(() => convert(value, 'Int32')).toThrow(expect.objectContaining({ code: 'WM1101', targetType: 'Int32' }));
  });
});

describe('convertValue: to Boolean', () => {
  it.each<[unknown, boolean]>([
    ['true', true],
    [' TRUE ', true],
    ['False', false],
  ])('%p is %p', (value, expected) => {
    expect(convertStrictly(value, 'Boolean')).toBe(expected);
  });

  it.each<[unknown, boolean]>([
    [1, true],
    [-0.5, true],
    [0, false],
    [0n, false],
  ])('%p is %p where conversions are lenient', (value, expected) => {
    expect(convert(value, 'Boolean')).toBe(expected);
  });

  it('converts other text to false, or throws in strict mode', () => {
    expect(convert('yes', 'Boolean')).toBe(false);
    expect(convert('1', 'Boolean')).toBe(false);
    expect(convert('yes', 'Boolean?')).toBeNull();
    expect(() => convertStrictly('yes', 'Boolean')).toThrow(expect.objectContaining({ code: 'WM1101' }));
    expect(() => convert({}, 'Boolean')).toThrow(expect.objectContaining({ code: 'WM1101' }));
  });
});

describe('convertValue: conversions that would lose information', () => {
  it.each<[unknown, string, unknown]>([
    [3.5, 'Int32', 4],
    [3.5, 'Int64', 4],
    ['1.5', 'Int32', 0],
    [true, 'Int32', 1],
    [true, 'Double', 1],
    [2, 'Boolean', true],
    [0, 'Boolean', false],
    [1n, 'Boolean', true],
    [{ a: 1 }, 'String', '{"a":1}'],
    [['a'], 'String', '["a"]'],
    [new Map([['a', 1]]), 'String', '{"a":1}'],
    [[1.5], 'Int32[]', [2]],
    [{ a: { b: 1 } }, 'StringMap', { a: '{"b":1}' }],
  ])('%p as %s is an error in strict mode, else %p', (value, alias, lenient) => {
    expect(convert(value, alias)).toEqual(lenient);
    expect(() => convertStrictly(value, alias)).toThrow(expect.objectContaining({ code: 'WM1101' }));
    const registry = createDefaultTypeRegistry({ strict: true });
    expect(() => convertValue(value, registry.resolve(alias)!)).toThrow(expect.objectContaining({ code: 'WM1101' }));
  });

  it('lists the accepted forms in the error', () => {
    expect(() => convertStrictly(3.5, 'Int32')).toThrow(
      'Cannot convert 3.5 to a whole number (Int32): write a whole number such as 42.',
    );
    expect(() => convertStrictly({ a: 1 }, 'String')).toThrow('write text, a number, a date');
  });

  it.each<[unknown, string, unknown]>([
    [3.0, 'Int32', 3],
    ['7.0', 'Int32', 7],
    [' -7.00 ', 'Int32', -7],
    ['9007199254740993.0', 'Int64', 9007199254740993n],
    ['True', 'Boolean', true],
    [5, 'String', '5'],
    [true, 'String', 'True'],
    [new Date(0), 'String', '1970-01-01T00:00:00.000Z'],
    [new URL('https://example.org/x'), 'String', 'https://example.org/x'],
  ])('%p as %s loses nothing', (value, alias, expected) => {
    expect(convertStrictly(value, alias)).toEqual(expected);
  });

  it.each([2 ** 53, -(2 ** 53), 1e18])(
    '%d for an Int64 may have lost digits, and is refused in strict mode only',
    (value) => {
      expect(() => convertStrictly(value, 'Int64')).toThrow('from 2^53 on');
      expect(() => convertStrictly([value], 'Int64[]')).toThrow(expect.objectContaining({ code: 'WM1101' }));
      expect(convert(value, 'Int64')).toBe(BigInt(value));
      expect(convertStrictly(BigInt(value), 'Int64')).toBe(BigInt(value));
      expect(convertStrictly(String(BigInt(value)), 'Int64')).toBe(BigInt(value));
      expect(convertStrictly(value, 'Double')).toBe(value);
    },
  );

  it("leaves .NET's reading of 7.0 to lenient definitions", () => {
    expect(convert('7.0', 'Int32')).toBe(0);
    expect(() => convertValue('7.0', type('Int32'), { strict: true, lossless: false })).toThrow('write a whole number');
  });
});

describe('convertValue: to dates and durations', () => {
  it('reads dates', () => {
    expect(convert('2026-08-01T10:11:12+02:00', 'DateTimeOffset')).toEqual(new Date('2026-08-01T08:11:12Z'));
    expect(convert(0, 'DateTime')).toEqual(new Date(0));
  });

  it('keeps a date of another realm', () => {
    const date: unknown = vm.runInNewContext('new Date(0)');
    expect(convert(date, 'DateTime')).toBe(date);
  });

  it('converts other text to the minimum date, or throws in strict mode', () => {
    expect((convert('soon', 'DateTime') as Date).toISOString()).toBe('0001-01-01T00:00:00.000Z');
    expect(convert('soon', 'DateTime?')).toBeNull();
    expect(() => convertStrictly('soon', 'DateTime')).toThrow(expect.objectContaining({ code: 'WM1101' }));
    expect(() => convert(true, 'DateTime')).toThrow(expect.objectContaining({ code: 'WM1101' }));
    expect(() => convert(new Date(NaN), 'DateTime')).toThrow(expect.objectContaining({ code: 'WM1101' }));
    expect(() => convert(NaN, 'DateTime')).toThrow(expect.objectContaining({ code: 'WM1101' }));
  });

  it.each<[unknown, string]>([
    ['0:5', '00:05:00'],
    ['00:00:00.5', '00:00:00.5000000'],
    ['5', '5.00:00:00'],
    ['PT90S', '00:01:30'],
    [1500, '00:00:01.5000000'],
  ])('reads the duration %p', (value, expected) => {
    expect(convertStrictly(value, 'TimeSpan')).toBe(expected);
  });

  it('converts other text to a zero time span, or throws in strict mode', () => {
    expect(convert('soon', 'TimeSpan')).toBe('00:00:00');
    expect(convert('soon', 'TimeSpan?')).toBeNull();
    expect(() => convertStrictly('soon', 'TimeSpan')).toThrow(expect.objectContaining({ code: 'WM1101' }));
    expect(() => convert(NaN, 'TimeSpan')).toThrow(expect.objectContaining({ code: 'WM1101' }));
  });
});

describe('convertValue: to Guid and ByteArray', () => {
  it.each([
    '6F9619FF-8B86-D011-B42D-00C04FC964FF',
    '{6f9619ff-8b86-d011-b42d-00c04fc964ff}',
    '(6f9619ff-8b86-d011-b42d-00c04fc964ff)',
    '6f9619ff8b86d011b42d00c04fc964ff',
  ])('reads %s', (text) => {
    expect(convertStrictly(text, 'Guid')).toBe('6f9619ff-8b86-d011-b42d-00c04fc964ff');
  });

  it('converts other text to the empty Guid, or throws in strict mode', () => {
    expect(convert('x', 'Guid')).toBe('00000000-0000-0000-0000-000000000000');
    expect(() => convertStrictly('x', 'Guid')).toThrow(expect.objectContaining({ code: 'WM1101' }));
    expect(() => convert(5, 'Guid')).toThrow(expect.objectContaining({ code: 'WM1101' }));
  });

  it('reads base64 and lists of bytes, and refuses everything else in either mode', () => {
    expect(convert('AQID', 'ByteArray')).toEqual(Uint8Array.of(1, 2, 3));
    expect(convert([1, 255], 'ByteArray')).toEqual(Uint8Array.of(1, 255));
    expect(() => convert('no base64!', 'ByteArray')).toThrow(expect.objectContaining({ code: 'WM1101' }));
    expect(() => convert('hello world', 'ByteArray')).toThrow(expect.objectContaining({ code: 'WM1101' }));
    expect(() => convert([256], 'ByteArray')).toThrow(expect.objectContaining({ code: 'WM1101' }));
    expect(() => convert(5, 'ByteArray')).toThrow(expect.objectContaining({ code: 'WM1101' }));
  });
});

describe('convertValue: to enums', () => {
  it.each<[unknown, string, unknown]>([
    ['ok', 'HttpStatusCode', 'OK'],
    ['200', 'HttpStatusCode', 'OK'],
    [404, 'HttpStatusCode', 'NotFound'],
    [302, 'HttpStatusCode', 'Found'],
    ['Redirect', 'HttpStatusCode', 'Redirect'],
    [299, 'HttpStatusCode', 299],
    ['299', 'HttpStatusCode', 299],
    ['waitany', 'FlowJoinMode', 'WaitAny'],
    [0, 'FlowJoinMode', 'WaitAll'],
    ['2', 'LogPersistenceMode', 'Exclude'],
  ])('%p as %s is %p', (value, alias, expected) => {
    expect(convert(value, alias)).toBe(expected);
  });

  it.each([['Nope'], [1.5], [true], [{}]])('refuses %p in either mode and names the members', (value) => {
    expect(() => convert(value, 'SwitchMode')).toThrow(/MatchFirst, MatchAny/);
  });
});

describe('convertValue: JSON text', () => {
  it.each<[string, string, unknown]>([
    [' {"a":{"b":[1]}}', 'JSON', { a: { b: [1] } }],
    ['[1,"two"]', 'JsonElement', [1, 'two']],
    ['{"a":1}', 'JsonObject', { a: 1 }],
    ['{"a":1,"b":true}', 'StringDictionary', { a: '1', b: 'True' }],
    ['{"a":1}', 'ObjectDictionary', { a: 1 }],
    ['["1","2"]', 'Int32[]', [1, 2]],
    ['[]', 'List<String>', []],
    ['{"eventName":"Paid"}', 'EventStimulus', { eventName: 'Paid' }],
    ['["OK",404]', 'HttpStatusCode[]', ['OK', 'NotFound']],
  ])('%s as %s', (text, alias, expected) => {
    expect(convert(text, alias)).toEqual(expected);
  });

  it.each(['JSON', 'JsonObject', 'ObjectMap', 'List<String>', 'EventStimulus', 'HttpFile'])(
    'malformed text is an error for %s in either mode',
    (alias) => {
      expect(() => convert('{oops', alias)).toThrow(
        expect.objectContaining({ code: 'WM1101', cause: expect.any(SyntaxError) }),
      );
    },
  );

  it('is not parsed for scalar types', () => {
    expect(convert('{"a":1}', 'String')).toBe('{"a":1}');
    expect(convert('[1]', 'Int32')).toBe(0);
    expect(convert('["A"]', 'Object')).toBe('["A"]');
  });

  it('keeps members named like prototype members without polluting anything', () => {
    const converted = convert('{"__proto__":{"polluted":1},"constructor":2}', 'StringMap') as Record<string, unknown>;
    expect(Object.keys(converted)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(converted)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('leaves other text alone for any JSON value, refuses it for types with members', () => {
    expect(convert('hello', 'JsonElement')).toBe('hello');
    expect(() => convert('hello', 'JsonObject')).toThrow(expect.objectContaining({ code: 'WM1101' }));
    expect(() => convert('hello', 'EventStimulus')).toThrow(expect.objectContaining({ code: 'WM1101' }));
    expect(() => convert(5, 'EventStimulus')).toThrow(expect.objectContaining({ code: 'WM1101' }));
  });
});

describe('convertValue: lists and dictionaries', () => {
  it('makes text a list of one, without splitting it', () => {
    expect(convert('a,b', 'List<String>')).toEqual(['a,b']);
    expect(convert('200', 'List<Int32>')).toEqual([200]);
  });

  it('converts element by element into a new list', () => {
    const list = [1, '2', null, 3.5];
    expect(convert(list, 'Int32[]')).toEqual([1, 2, null, 4]);
    expect(list).toEqual([1, '2', null, 3.5]);
    expect(convert([1, 'x'], 'String[]')).toEqual(['1', 'x']);
  });

  it('reports the element that does not convert', () => {
    expect(() => convertStrictly(['1', 'x'], 'Int32[]')).toThrow(/"x" to a whole number \(Int32\)/);
  });

  it('takes sets for lists and drops doubles for HashSet', () => {
    expect(convert(new Set([1, 2]), 'Int32[]')).toEqual([1, 2]);
    expect(convert(['a', 'b', 'a'], 'HashSet<String>')).toEqual(['a', 'b']);
  });

  it.each([[5], [{ a: 1 }], [new Map()], ['{"a":1}']])('refuses %p as a list', (value) => {
    expect(() => convert(value, 'Int32[]')).toThrow(expect.objectContaining({ code: 'WM1101' }));
  });

  it('takes maps for dictionaries', () => {
    expect(convert(new Map([['a', 1]]), 'ObjectMap')).toEqual({ a: 1 });
    expect(convert(new Map([['a', 1]]), 'StringMap')).toEqual({ a: '1' });
  });

  it.each([[5], [[1]], [new Date()], ['[1]']])('refuses %p as a dictionary', (value) => {
    expect(() => convert(value, 'ObjectMap')).toThrow(expect.objectContaining({ code: 'WM1101' }));
  });
});
