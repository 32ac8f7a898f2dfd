import { LiveReader } from './testing/live-reader.js';

it('blocks of a stream are distinguished', async () => {
  const live = new LiveReader();
  Object.assign(live, { text: 'id: 1\n\nevent: a\ndata: {"b":1}\n\n' });
  expect(await live.next()).toEqual({ id: undefined, name: 'a', data: { b: 1 } });
  expect(live.lastEventId).toBe('1');
});
