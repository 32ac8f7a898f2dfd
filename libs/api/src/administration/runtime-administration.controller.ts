import { RuntimeGate, WorkflowEngine } from '@waymark/runtime';
import { NodeHeartbeat } from '@waymark/runtime/adapter';
import { RuntimeDrainingError } from '../answers/api-errors.js';
import { Audited, type AuditedRoute, textIn } from '../audit/audited.js';
import { ApiController, ApiGet, ApiPost } from '../module/api-controller.js';

const READ = ['read:workflow-runtime', 'ManageWorkflowRuntime'];
const MANAGE = 'ManageWorkflowRuntime';
const SOURCES = ['scheduling.trigger', 'internal.bookmark-queue-worker', 'http.trigger'];

interface RuntimeStatus {
  readonly state: { readonly reason: string; readonly isAcceptingNewWork: boolean; readonly generationId: string };
  readonly sources: readonly { readonly name: string; readonly state: string }[];
  readonly activeExecutionCycleCount: number;
}

/** Target of the audit entry: this process, by the id in its status. */
const NODE: Omit<AuditedRoute, 'action'> = {
  target: 'node',
  note: ({ answer }) => ({ targetIds: [textIn(answer.state, 'generationId')].filter((id) => id !== undefined) }),
};

/** Pauses and resumes this node. A pause applies to requests, timers, messages and calls of the application. */
@ApiController('admin/workflow-runtime')
export class RuntimeAdministrationController {
  /** Of this process: a restart is a new generation. */
  private readonly generationId: string;

  constructor(
    private readonly gate: RuntimeGate,
    private readonly heartbeat: NodeHeartbeat,
    engine: WorkflowEngine,
  ) {
    this.generationId = engine.newId();
  }

  @ApiGet('status', ...READ)
  status(): RuntimeStatus {
    const { closedBecause } = this.gate;
    const reason = closedBecause === 'paused' ? 'AdministrativePause' : closedBecause === 'draining' ? 'Drain' : 'None';
    return {
      state: { reason, isAcceptingNewWork: !closedBecause, generationId: this.generationId },
      sources: SOURCES.map((name) => ({ name, state: closedBecause ? 'Paused' : 'Running' })),
      activeExecutionCycleCount: this.gate.activeBursts,
    };
  }

  @Audited('runtime.pause', NODE)
  @ApiPost('pause', MANAGE)
  async pause(): Promise<RuntimeStatus> {
    if (this.gate.closedBecause === 'draining')
      throw new RuntimeDrainingError('The runtime is shutting down: it cannot be paused. Start the node again first.');
    this.gate.pause();
    await this.heartbeat.announce();
    return this.status();
  }

  @Audited('runtime.resume', NODE)
  @ApiPost('resume', MANAGE)
  async resume(): Promise<RuntimeStatus> {
    if (!this.gate.resume())
      throw new RuntimeDrainingError('The runtime is shutting down: it cannot be resumed. Start the node again.');
    await this.heartbeat.announce();
    return this.status();
  }

  /** Refuses new work and waits for running bursts, before the node is stopped. */
  @Audited('runtime.drain', NODE)
  @ApiPost('force-drain', MANAGE)
  async forceDrain(): Promise<RuntimeStatus> {
    const drained = this.gate.drain();
    await this.heartbeat.announce();
    await drained;
    return this.status();
  }
}
