import { Injectable, Module, type OnModuleDestroy } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';

/** What is done before anything of the application is destroyed. */
@Injectable()
export class FirstToEnd implements OnModuleDestroy {
  private task: (() => Promise<void>) | undefined;

  /** @param task bounds its own time, and never rejects */
  set(task: () => Promise<void>): void {
    this.task = task;
  }

  async onModuleDestroy(): Promise<void> {
    await this.task?.();
  }
}

/** Nearer than the root module. */
const NEAREST = -1;

/**
 * Its hooks of the shutdown are the first ones. Nest destroys the root module first, then what that imports, and global modules at the end;
 * and all of them before `beforeApplicationShutdown` of any. Services close in `onModuleDestroy`, while activities still use them: the
 * bursts that ran meanwhile were faulted for good (ADR 153).
 *
 * The order is that of the modules' distance to the root, which Nest reads at the first hook, when all of them have been created.
 */
@Module({ providers: [FirstToEnd], exports: [FirstToEnd] })
export class FirstToEndModule {
  constructor(modules: ModulesContainer) {
    for (const module of modules.values()) if (module.metatype === FirstToEndModule) module.distance = NEAREST;
  }
}
