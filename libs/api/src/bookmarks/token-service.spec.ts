import { WorkflowClock } from '@waymark/runtime';
import { resolveApiOptions } from '../module/api-options.js';
import { TokenService } from './token-service.js';

class StoppedClock extends WorkflowClock {
  time = 1000;
  now = () => this.time;
  setTimer = () => () => undefined;
}

const KEY = 'x'.repeat(32);
const service = (clock = new StoppedClock(), urlTokenKey = KEY) =>
  new TokenService(resolveApiOptions({ urlTokenKey }), clock);

describe('TokenService', () => {
  const bookmark = { bookmarkId: 'b1', workflowInstanceId: 'i1' };

  it('returns the content of its tokens', () => {
    const tokens = service();
    expect(tokens.readBookmark(tokens.forBookmark(bookmark))).toEqual(bookmark);
    expect(tokens.readEvent(tokens.forEvent({ eventName: 'Paid' }))).toEqual({ eventName: 'Paid' });
  });

  it('shows the lifetime in the prefix, as Elsa does', () => {
    expect(service().forBookmark(bookmark)).toMatch(/^v1\.ne\./);
    expect(service().forBookmark(bookmark, new Date(2000))).toMatch(/^v1\.tl\./);
  });

  it('refuses a token made for something else', () => {
    const tokens = service();
    expect(tokens.readBookmark(tokens.forEvent({ eventName: 'Paid', workflowInstanceId: 'i1' }))).toBeUndefined();
    expect(tokens.readEvent(tokens.forBookmark(bookmark))).toBeUndefined();
  });

  it('refuses an expired token', () => {
    const clock = new StoppedClock();
    const token = service(clock).forBookmark(bookmark, new Date(2000));
    expect(service(clock).readBookmark(token)).toEqual(bookmark);
    clock.time = 2000;
    expect(service(clock).readBookmark(token)).toBeUndefined();
  });

  it('does not let a lifetime be changed', () => {
    const token = service().forBookmark(bookmark, new Date(1));
    expect(service().readBookmark(token.replace('v1.tl', 'v1.ne'))).toBeUndefined();
  });

  it.each(['', 'nope', 'v1.ne.', '...', 'v1.ne.e30.AAAA'])('refuses "%s"', (token) => {
    expect(service().readBookmark(token)).toBeUndefined();
    expect(service().readEvent(token)).toBeUndefined();
  });

  it('refuses tokens of another key', () => {
    expect(service(undefined, 'y'.repeat(32)).readBookmark(service().forBookmark(bookmark))).toBeUndefined();
  });
});
