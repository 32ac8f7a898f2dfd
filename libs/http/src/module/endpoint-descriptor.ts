import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { WorkflowEngine } from '@waymark/runtime';
import { HTTP_ENDPOINT } from '../endpoint/endpoint-payload.js';
import { pathUiSpecifications } from '../endpoint/path-editor.js';
import { HTTP_OPTIONS, type ResolvedHttpOptions } from './http-options.js';

/** Tells editors the URL that stands before an endpoint's path, which only the host's options say. */
@Injectable()
export class EndpointDescriptor implements OnApplicationBootstrap {
  constructor(
    private readonly engine: WorkflowEngine,
    @Inject(HTTP_OPTIONS) private readonly options: ResolvedHttpOptions,
  ) {}

  onApplicationBootstrap(): void {
    const { activities } = this.engine;
    const registration = activities.find(HTTP_ENDPOINT);
    if (!registration) return;
    const uiSpecifications = pathUiSpecifications(this.options);
    const inputs = registration.descriptor.inputs.map((input) =>
      input.name === 'Path' ? { ...input, uiSpecifications } : input,
    );
    activities.register({ ...registration, descriptor: { ...registration.descriptor, inputs } });
  }
}
