import { HubMessageError } from '../answers/api-errors.js';
import {
  completion,
  invocation,
  MOST_MESSAGE_BYTES,
  readHandshake,
  readMessage,
  RecordReader,
} from './hub-messages.js';

const S = '\u001e';

describe('messages of the hub', () => {
  it('messages of the hub are assembled from parts of any size', () => {
    const reader = new RecordReader();
    expect(reader.push(`{"type":6}${S}{"ty`)).toEqual(['{"type":6}']);
    expect(reader.push('pe":')).toEqual([]);
    expect(reader.push(`7}${S}${S}`)).toEqual(['{"type":7}', '']);
  });

  it('messages of the hub have a size limit, complete or not', () => {
    expect(() => new RecordReader().push('x'.repeat(MOST_MESSAGE_BYTES + 1))).toThrow(HubMessageError);
    expect(() => new RecordReader().push(`${'€'.repeat(MOST_MESSAGE_BYTES / 2)}${S}`)).toThrow(HubMessageError);
    expect(new RecordReader().push(`${'x'.repeat(MOST_MESSAGE_BYTES)}${S}`)).toHaveLength(1);
  });

  it('messages of the hub are read as the protocol defines them', () => {
    const call = { type: 1, target: 'Observe', arguments: ['a'], invocationId: '7', streamIds: [] };
    expect(readMessage(JSON.stringify(call))).toEqual({
      type: 1,
      target: 'Observe',
      arguments: ['a'],
      invocationId: '7',
    });
    expect(readMessage('{"type":1,"target":"Observe","invocationId":null}')).toMatchObject({ arguments: [] });
    expect(readMessage('{"type":42,"more":[]}')).toEqual({ type: 42 });
    expect(readHandshake('{"protocol":"json","version":1}')).toBeUndefined();
  });

  it.each([
    ['nothing', ''],
    ['no JSON', '{"type":'],
    ['a list', '[1]'],
    ['a type that is a text', '{"type":"1"}'],
    ['a target that is a number', '{"type":1,"target":1,"arguments":[]}'],
    ['arguments that are an object', '{"type":1,"target":"a","arguments":{}}'],
    ['an id that is a number', '{"type":1,"target":"a","arguments":[],"invocationId":1}'],
    ['deep JSON', `{"type":1,"target":"a","arguments":${'['.repeat(100)}${']'.repeat(100)}}`],
  ])('messages of the hub are refused: %s', (_, record) => {
    expect(() => readMessage(record)).toThrow(HubMessageError);
  });

  it.each(['{"protocol":"messagepack","version":1}', '{"protocol":"json","version":2}', '{}', 'null'])(
    'messages of the hub begin with a handshake, not %s',
    (record) => {
      expect(() => readHandshake(record)).toThrow(HubMessageError);
    },
  );

  it('messages of the hub are written as the protocol defines them', () => {
    expect(invocation('Told', { id: 'a' })).toBe(`{"type":1,"target":"Told","arguments":[{"id":"a"}]}${S}`);
    expect(JSON.parse(completion('7').slice(0, -1))).toEqual({ type: 3, invocationId: '7', result: null });
    expect(JSON.parse(completion('7', 'no').slice(0, -1))).toEqual({ type: 3, invocationId: '7', error: 'no' });
  });
});
