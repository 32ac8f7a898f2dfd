import { Injectable } from '@nestjs/common';
import type { CustomPropertyOwner, CustomPropertyRule } from '@waymark/core/adapter';
import { CustomPropertyRules } from '@waymark/runtime/adapter';

const TIMED: ReadonlySet<string> = new Set(['Elsa.Timer', 'Elsa.Cron', 'Elsa.StartAt']);

/** Their values are checked with the payloads of triggers. */
const adviceOnPlace = ({ node, descriptor }: CustomPropertyOwner): string | undefined =>
  TIMED.has(descriptor.typeName) && node.customProperties?.canStartWorkflow === true
    ? undefined
    : 'a Timer, Cron or StartAt that starts workflows';

/** Custom properties of triggers by time. */
@Injectable()
export class TimingPropertyRules extends CustomPropertyRules {
  readonly rules: readonly CustomPropertyRule[] = ['misfire', 'overlap', 'jitter', 'validFrom', 'validUntil'].map(
    (name) => ({ name, adviceOnPlace }),
  );
}
