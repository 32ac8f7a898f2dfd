import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { textGlobals } from '../globals/text-globals.js';
import type { JavaScriptGlobal } from '../globals/javascript-global.js';
import { HostBridge, type PromiseSink } from '../sandbox/host-bridge.js';
import { HostOperation } from '../sandbox/host-operation.js';
import type { Contents } from '../transfer/kept-contents.js';
import { SEPARATOR } from '../transfer/marks.js';
import type { Packed } from '../transfer/pack.js';
import { type CallAnswer, Control, type ThreadData, type ThreadGlobal, type ThreadReport } from './messages.js';
import type { ThreadEvaluation } from './thread-evaluation.js';

/**
 * The host as the sandbox of a thread sees it. What needs nothing but its arguments is answered here; everything else is
 * asked of the main thread, while this one stands still.
 */
export class ThreadBridge extends HostBridge {
  private readonly control: Int32Array<SharedArrayBuffer>;
  private readonly answers: MessagePort;
  private calls = 0;

  constructor(
    private readonly threadGlobals: readonly ThreadGlobal[],
    { control, answers, options }: ThreadData,
    private readonly report: (message: ThreadReport) => void,
  ) {
    super(threadGlobals.map(toGlobal), undefined, options.memoryMb << 20, options.maxResultValues);
    this.control = control;
    this.answers = answers;
  }

  protected override perform(evaluation: ThreadEvaluation, call: string, onPromise: PromiseSink): Packed {
    if (this.isLocal(call.charCodeAt(0))) return super.perform(evaluation, call, onPromise);
    // Counted here, so that the main thread does not hear of too many.
    this.argumentsOf(call);
    return this.ask(evaluation, call, onPromise);
  }

  /** The main thread keeps them. */
  protected override contentsOf(evaluation: ThreadEvaluation): Contents {
    return {
      keep: () => undefined,
      keepUnread: () => undefined,
      find: (number) => {
        const call = `${String.fromCharCode(HostOperation.ReadContent)}${SEPARATOR}n${number}`;
        const bytes = this.ask(evaluation, call, () => 0);
        return bytes instanceof Uint8Array ? bytes : undefined;
      },
    };
  }

  private isLocal(operation: number): boolean {
    if (operation >= HostOperation.FirstGlobal)
      return this.threadGlobals[operation - HostOperation.FirstGlobal]?.isLocal !== false;
    return operation === HostOperation.Settled || operation === HostOperation.HostTypes;
  }

  private ask(evaluation: ThreadEvaluation, call: string, onPromise: PromiseSink): Packed {
    const asked = performance.now();
    const number = ++this.calls;
    this.report({ kind: 'call', job: evaluation.job, number, call });
    const { packed, hostMs, isTooMuch } = this.waitFor(number);
    // How busy the main thread is, is no fault of the script.
    evaluation.leaveOut(performance.now() - asked - hostMs);
    if (isTooMuch) evaluation.ranOutOfMemory = true;
    if (typeof packed !== 'string' || packed[0] !== 'p') return packed;
    return `p${onPromise(evaluation, evaluation.promiseOf(Number(packed.slice(1))))}`;
  }

  /**
   * Waking up says nothing: the notification of the answer before may come late, while the next one is waited for. Taking
   * that for the answer would give each call the answer of the one before it, from then on.
   */
  private waitFor(number: number): CallAnswer {
    for (;;) {
      const answered = Atomics.load(this.control, Control.Answered);
      const answer = receiveMessageOnPort(this.answers)?.message as CallAnswer | undefined;
      if (!answer) Atomics.wait(this.control, Control.Answered, answered);
      else if (answer.number === number) return answer;
    }
  }
}

/** Its place in the list is its number, so those of the main thread stand in it as well. */
function toGlobal({ name, isLocal }: ThreadGlobal): JavaScriptGlobal {
  const standard = isLocal ? textGlobals.find((g) => g.name === name) : undefined;
  return standard ?? { name, invoke: () => undefined };
}
