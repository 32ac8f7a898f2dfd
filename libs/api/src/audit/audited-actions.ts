import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, Reflector } from '@nestjs/core';
import { InvalidOptionError } from '@waymark/core';
import { optionKinds } from '@waymark/core/adapter';
import { API_OPTIONS, type ResolvedApiOptions } from '../module/api-options.js';
import { API_CONTROLLER } from '../requests/api-routes.js';
import { AUDITED, type AuditedRoute } from './audited.js';

/** Knows the actions of all routes: what is to be left out must be one of them, or a slip in its name would go unseen. */
@Injectable()
export class AuditedActions implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly reflector: Reflector,
    @Inject(API_OPTIONS) private readonly options: ResolvedApiOptions,
  ) {}

  /** @throws InvalidOptionError (`WM1090`) naming the action that does not exist */
  onModuleInit(): void {
    if (this.options.audit === false || this.options.audit.except.length === 0) return;
    const known = this.all();
    const unknown = this.options.audit.except.find((action) => !known.has(action));
    if (unknown !== undefined)
      throw new InvalidOptionError(
        'WorkflowApiModule',
        'audit.except',
        `a list of actions that routes have: ${optionKinds.inWords([...known].sort())}`,
        `'${unknown}'`,
      );
  }

  private all(): Set<string> {
    const actions = this.discovery.getControllers().flatMap(({ metatype }) => {
      if (!metatype || this.reflector.get<string | undefined>(API_CONTROLLER, metatype) === undefined) return [];
      const { prototype } = metatype as { prototype: Record<string, unknown> };
      return Object.getOwnPropertyNames(prototype).flatMap((name) => {
        const handler = prototype[name];
        const route =
          typeof handler === 'function'
            ? this.reflector.get<AuditedRoute | false | undefined>(AUDITED, handler)
            : false;
        return route ? [route.action] : [];
      });
    });
    return new Set(actions);
  }
}
