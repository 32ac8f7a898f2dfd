import { SchedulerRegistry } from '@nestjs/schedule';
import { VirtualClock } from '@waymark/testing';
import { WakeUpTimer } from './wake-up-timer.js';

describe('WakeUpTimer', () => {
  const setUp = () => {
    const clock = new VirtualClock(0);
    const registry = new SchedulerRegistry();
    const fired: number[] = [];
    const timer = new WakeUpTimer(clock, registry);
    return { clock, registry, timer, fired, callback: () => void fired.push(clock.now()) };
  };

  it('is one timer, listed in the registry while it is armed', async () => {
    const { clock, registry, timer, fired, callback } = setUp();
    expect([registry.getTimeouts(), timer.time]).toEqual([[], Infinity]);
    timer.arm(500, callback);
    timer.arm(300, callback);
    expect([registry.getTimeouts(), timer.time, clock.pending.length]).toEqual([['waymark: next due work'], 300, 1]);
    expect(registry.getTimeout(WakeUpTimer.NAME)).toEqual({ dueAt: new Date(300) });
    await clock.advance(1000);
    expect([fired, registry.getTimeouts(), timer.time]).toEqual([[300], [], Infinity]);
  });

  it('fires at once for a time that is over', async () => {
    const { clock, timer, fired, callback } = setUp();
    timer.arm(-5000, callback);
    await clock.advance(0);
    expect(fired).toEqual([0]);
  });

  it('can be cancelled, also after the application has emptied the registry', async () => {
    const { clock, registry, timer, fired, callback } = setUp();
    timer.arm(10, callback);
    registry.deleteTimeout(WakeUpTimer.NAME);
    timer.cancel();
    await clock.advance(100);
    expect([fired, registry.getTimeouts()]).toEqual([[], []]);
  });

  it('works without a registry', async () => {
    const { clock, fired, callback } = setUp();
    new WakeUpTimer(clock).arm(10, callback);
    await clock.advance(10);
    expect(fired).toEqual([10]);
  });
});
