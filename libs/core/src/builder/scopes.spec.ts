import { Activity, Input, Output } from '../activities/decorators.js';
import { ActivityBase } from '../execution/activity-base.js';
import { normalizeActivity } from '../definitions/normalize-activity.js';
import { WorkflowTest } from '../execution/testing/run-workflow.js';
import { createDefaultTypeRegistry } from '../values/default-types.js';
import { activity } from './activity.js';
import { sequence } from './containers.js';
import { forEach } from './loops.js';
import { catchError, compensable, compensate, confirm, timeout, tryCatch } from './scopes.js';
import { fault, inline, writeLine } from './steps.js';
import { build, failure, run } from './testing/run-built.js';

class NoSeat extends Error {
  override readonly name = 'NoSeat';
}

@Activity({ type: 'App.Book' })
class Book extends ActivityBase {
  @Input({ type: 'String' }) what: string;
  @Output({ type: 'String' }) bookingId?: string;
  execute(): void {
    if (this.what === 'car') throw new NoSeat('no car');
    this.bookingId = `${this.what}-1`;
  }
}
const activities = [Book];

describe('scopes in code', () => {
  it('undoes a booking with its output, and returns the error', async () => {
    const done = await run(
      (w) => {
        const id = w.variable<string>('id', { type: 'String' });
        const book = (what: string) =>
          compensable(activity(Book, { what }, { outputs: { bookingId: id } }), {
            undo: (outputs) => [
              writeLine((scope) => `cancel ${id.get(scope)}`),
              writeLine((scope) => `cancel ${String(outputs.get(scope).BookingId)}`),
            ],
          });
        return tryCatch([book('flight'), book('hotel'), book('car')], {
          catches: [catchError(TypeError, []), catchError(NoSeat, (error) => writeLine((s) => error.get(s).message))],
          catch: writeLine('never'),
          finally: (error) => writeLine((s) => String(error.get(s))),
        });
      },
      { activities },
    );
    expect([done.status, done.lines]).toEqual([
      'Finished',
      ['cancel hotel-1', 'cancel hotel-1', 'cancel flight-1', 'cancel flight-1', 'no car', 'null'],
    ]);
  });

  it('compensates and confirms a step that it names', async () => {
    const done = await run(() => {
      const first = compensable(writeLine('a'), { undo: writeLine('undo a'), confirm: writeLine('sure a') });
      const second = compensable(writeLine('b'), { undo: writeLine('undo b'), keep: [] });
      return sequence([first, second, confirm(first), compensate(second), compensate(), fault({ message: 'end' })]);
    });
    expect([done.status, done.lines]).toEqual(['Faulted', ['a', 'b', 'sure a', 'undo b']]);
  });

  it('limits time, of a scope and of an activity', () => {
    const { definition } = build(() =>
      timeout('00:05:00', sequence([activity('Elsa.Event', { eventName: 'x' }, { timeout: '2.00:00:00' })])),
    );
    expect(definition.root).toMatchObject({
      type: 'Waymark.Timeout',
      timeSpan: { expression: { value: '00:05:00' } },
      body: { activities: [{ customProperties: { timeout: '2.00:00:00' } }] },
    });
  });

  it('refuses to use an error outside of its Try, or of an outer Try', () => {
    const leaked = failure(() => {
      let outside: unknown;
      const inner = tryCatch(writeLine('a'), { catch: (error) => ((outside = error), writeLine('b')) });
      return sequence([inner, writeLine(outside as never)]);
    });
    expect(leaked).toMatchObject({ code: 'WM1208', message: expect.stringMatching(/error of a Try/) as string });
    const hidden = failure(() =>
      tryCatch(writeLine('a'), {
        catch: (outer) => tryCatch(writeLine('b'), { catch: activity(Book, { what: outer as never }) }),
      }),
    );
    expect(hidden).toMatchObject({ code: 'WM1208', message: expect.stringMatching(/output error/) as string });
  });

  it('undoes each iteration', async () => {
    const done = await run(() => {
      const body = forEach([1, 2], (n) =>
        compensable(
          writeLine((s) => `do ${n.get(s)}`),
          { undo: writeLine((s) => `undo ${n.get(s)}`) },
        ),
      );
      return tryCatch([body, inline(() => { throw new NoSeat('x'); })], { catch: [] }); // prettier-ignore
    });
    expect(done.lines).toEqual(['do 1', 'do 2', 'undo 2', 'undo 1']);
  });

  it('is unchanged after being written and read', () => {
    const { definition } = build(() =>
      tryCatch(compensable(writeLine('a'), { undo: writeLine('u') }), {
        catches: [catchError(['WM5012', 'Pay*'], writeLine('c'))],
        finally: writeLine('f'),
      }),
    );
    const { registry } = new WorkflowTest();
    const read = (json: unknown) =>
      normalizeActivity(json, { registry, types: createDefaultTypeRegistry(), newId: () => 'new' } as never);
    const once = read(JSON.parse(JSON.stringify(definition.root)));
    expect(once).toMatchObject({
      catches: [{ errors: ['WM5012', 'Pay*'], activity: { type: 'Elsa.WriteLine' } }],
      catch: null,
      finally: { type: 'Elsa.WriteLine' },
      body: { undo: { id: 'WriteLine2' }, confirm: null },
    });
    expect(read(JSON.parse(JSON.stringify(once)))).toEqual(once);
  });
});
