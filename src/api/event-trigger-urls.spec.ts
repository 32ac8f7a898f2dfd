import { TokenService } from '@waymark/api';
import type { ExpressionScope } from '@waymark/core';
import { ShiftedClock } from '@waymark/testing';
import { EventTriggerUrlFunction, EventTriggerUrls } from './event-trigger-urls.js';

const clock = new ShiftedClock();
const tokens = new TokenService(
  { urlTokenKey: 'k'.repeat(32) } as ConstructorParameters<typeof TokenService>[0],
  clock,
);
const scope = { facts: { workflowInstanceId: 'i1' } } as ExpressionScope;
const create = new EventTriggerUrlFunction('http://host/elsa/api');
const tokenOf = (url: string) => new URL(url).searchParams.get('t')!;

it('is told before the application has started that it is too early', () => {
  expect(() => create.invoke(scope, 'Paid')).toThrow('as soon as the application has started');
});

describe('createEventTriggerUrl', () => {
  beforeAll(() => new EventTriggerUrls(create, tokens, clock).onModuleInit());

  it('names the event and the instance of the script', () => {
    const url = create.invoke(scope, 'Paid');
    expect(url).toMatch(/^http:\/\/host\/elsa\/api\/events\/trigger\?t=v1\.ne\./);
    expect(tokens.readEvent(tokenOf(url))).toEqual({ eventName: 'Paid', workflowInstanceId: 'i1' });
  });

  it('makes URLs that end', async () => {
    const inAnHour = new Date(clock.now() + 3_600_000);
    const urls = ['01:00:00', inAnHour, inAnHour.toISOString()].map((end) => create.invoke(scope, 'Paid', end));
    for (const url of urls) expect(tokens.readEvent(tokenOf(url))).toBeDefined();
    await clock.advance(3_601_000);
    for (const url of urls) expect(tokens.readEvent(tokenOf(url))).toBeUndefined();
  });

  it.each([[''], [undefined], [5]])('refuses %p for an event', (name) => {
    expect(() => create.invoke(scope, name)).toThrow('needs the name of an event');
  });

  it.each([['soon'], [true]])('refuses %p for an end', (end) => {
    expect(() => create.invoke(scope, 'Paid', end)).toThrow('time span');
  });
});
