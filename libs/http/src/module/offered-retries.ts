import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { ResilienceStrategies } from '@waymark/runtime/adapter';
import { HTTP_OPTIONS, type ResolvedHttpOptions } from './http-options.js';

/** Tells editors which retry strategies outgoing requests may name. */
@Injectable()
export class OfferedRetries implements OnModuleInit {
  constructor(
    private readonly strategies: ResilienceStrategies,
    @Inject(HTTP_OPTIONS) private readonly options: ResolvedHttpOptions,
  ) {}

  onModuleInit(): void {
    this.strategies.register('HTTP', this.options.retryStrategies);
  }
}
