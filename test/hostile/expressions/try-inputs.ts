/** A process that evaluates the inputs it is sent, one after the other, and reports what each one did. */
import { LiquidExpressionHandler } from '@waymark/expressions';
import { JavaScriptEvaluator, JavaScriptExpressionHandler } from '@waymark/expressions/adapter';
import { type HostileInput, hostileScope } from './hostile-input.js';
import { type Stall, stallOf } from './stall-probe.js';

export interface Tried extends Stall {
  readonly rssMb: number;
}

const sandbox = process.argv[2] === 'worker' ? 'worker' : 'inline';
const evaluator = await JavaScriptEvaluator.create({ sandbox });
const handlers = { JavaScript: new JavaScriptExpressionHandler(evaluator), Liquid: new LiquidExpressionHandler() };

process.on('message', ({ type, source }: HostileInput) => {
  void stallOf(() => handlers[type].compile({ type, value: source })(hostileScope())).then((stall) =>
    process.send!({ ...stall, rssMb: process.memoryUsage.rss() >> 20 } satisfies Tried),
  );
});
process.on('disconnect', () => process.exit());
process.send!('ready');
