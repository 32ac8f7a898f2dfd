import type { Type } from '@nestjs/common';
import {
  inline,
  MemoryPersistence,
  Workflow,
  type WorkflowBuilder,
  type WorkflowDefinitionBuilder,
  type WorkflowModuleOptions,
} from '@waymark/nestjs';
import { VirtualClock } from '@waymark/testing';
import { TestApplication } from '../support/application.js';

/** Nodes of several releases in this process, on one store and by one clock. */
export class Fleet {
  readonly clock = new VirtualClock();
  readonly persistence = new MemoryPersistence();
  /** What was done, by which release. */
  readonly done: string[] = [];
  private nodes: TestApplication[] = [];

  /** A workflow of that release: what `build` gives, and as many steps behind it as the number of the release. */
  workflow(id: string, release: number, build: (w: WorkflowDefinitionBuilder) => readonly ReturnType<typeof inline>[]) {
    const { done } = this;
    @Workflow({ id })
    class Sample implements WorkflowBuilder {
      build(w: WorkflowDefinitionBuilder): void {
        const steps = Array.from({ length: release }, () => inline(() => void done.push(`${id} ${release}`)));
        w.root([...build(w), ...steps]);
      }
    }
    return Sample as Type<WorkflowBuilder>;
  }

  async node(order: number, workflows: Type[], options: WorkflowModuleOptions = {}): Promise<TestApplication> {
    const { clock, persistence } = this;
    const deployment = { id: `release ${order}`, order };
    const given = { persistence, clock, deployment, nodeName: `node ${order}`, ...options };
    const node = await TestApplication.start({ ...given, providers: workflows });
    this.nodes.push(node);
    return node;
  }

  async close(...nodes: TestApplication[]): Promise<void> {
    const closed = nodes.length > 0 ? nodes : this.nodes;
    this.nodes = this.nodes.filter((node) => !closed.includes(node));
    for (const node of closed) await node.close();
  }

  /** Lets all nodes do what they can do within that time. */
  async pass(ms: number): Promise<void> {
    for (let at = 0; at < ms; at += 500) {
      await this.clock.advance(500);
      for (const node of this.nodes) await node.settled();
    }
  }
}
