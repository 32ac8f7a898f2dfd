import { Activity, ActivityBase, Input, Output, type ActivityExecutionContext } from '@waymark/core';
import { isPromiseLike } from '@waymark/core/adapter';
import { JavaScriptEvaluator } from './javascript/javascript-evaluator.js';

/**
 * Runs a script. The script is the *text* of the input: an input that is itself a JavaScript expression is evaluated
 * first, and its result is run.
 */
@Activity({
  type: 'Elsa.RunJavaScript',
  category: 'Scripting',
  displayName: 'Run JavaScript',
  description: 'Runs a script in JavaScript.',
})
export class RunJavaScript extends ActivityBase {
  /** The script to run. */
  @Input({
    type: 'String',
    description: 'The script to run.',
    defaultSyntax: 'JavaScript',
    uiHint: 'code-editor',
    uiSpecifications: { 'code-editor': { language: 'javascript' } },
  })
  script?: string | null;

  /** A list of possible outcomes. */
  @Input({
    type: 'List<String>',
    description: 'Names of the outcomes that the script may set.',
    uiHint: 'dynamic-outcomes',
  })
  possibleOutcomes?: string[] | null;

  /** The result of the script. */
  @Output({ type: 'Object', description: 'What the script returned.' })
  result?: unknown;

  constructor(private readonly evaluator: JavaScriptEvaluator) {
    super();
  }

  execute(ctx: ActivityExecutionContext): unknown {
    // Nothing to run: the default outcomes, and an earlier result stays what it is.
    if (!this.script?.trim()) return ctx.complete();
    let outcomes: readonly string[] = ['Done'];
    const value = this.evaluator.compile(this.script)(ctx.expressionScope, {
      setOutcome: (name: unknown) => void (outcomes = [String(name)]),
      setOutcomes: (names: unknown) => void (outcomes = Array.isArray(names) ? names.map(String) : [String(names)]),
    });
    const finish = (result: unknown): unknown => {
      if (result != null) this.result = result;
      return ctx.completeWithOutcomes(...outcomes);
    };
    return isPromiseLike(value) ? value.then(finish) : finish(value);
  }
}
