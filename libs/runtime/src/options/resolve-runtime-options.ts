import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { InvalidOptionError, OptionConflictError } from '@waymark/core';
import { checkValues, findIncidentStrategy, optionKinds, Redaction } from '@waymark/core/adapter';
import { AesCipher } from '../secrets/aes-cipher.js';
import { requirePersistence } from './require-persistence.js';
import { RUNTIME_OPTION_KINDS } from './runtime-option-kinds.js';
import { type ResolvedRuntimeOptions, SHORTEST_TAKEOVER_MS, type WorkflowRuntimeOptions } from './runtime-options.js';

const OWNER = 'WorkflowModule';
const THIRTY_DAYS_MS = 30 * 24 * 3_600_000;
const NINETY_DAYS_MS = 90 * 24 * 3_600_000;

/**
 * Applies defaults and rejects values that cannot work. Names are for the front door, whose own options stand beside these.
 * @throws InvalidOptionError (`WM1090`), UnknownOptionError (`WM1091`), OptionConflictError (`WM1092`)
 */
export function resolveRuntimeOptions(given: WorkflowRuntimeOptions = {}): ResolvedRuntimeOptions {
  const options = checkValues({ name: OWNER }, given, RUNTIME_OPTION_KINDS);
  const resolved: ResolvedRuntimeOptions = {
    persistence: requirePersistence(options.persistence),
    clock: options.clock,
    writeLine: options.writeLine,
    readLine: options.readLine,
    nodeName: options.nodeName ?? `${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`,
    flowchartMode: options.flowchartMode ?? 'counter',
    defaultIncidentStrategy: options.defaultIncidentStrategy ?? 'Fault',
    incidentStrategies: options.incidentStrategies ?? {},
    commitStrategies: options.commitStrategies ?? {},
    activityMiddleware: options.activityMiddleware ?? [],
    workflowMiddleware: options.workflowMiddleware ?? [],
    expressions: options.expressions ?? [],
    journal: options.journal ?? true,
    logPersistenceMode: options.logPersistenceMode ?? 'Inherit',
    redaction: options.redaction !== false && new Redaction(options.redaction ?? {}),
    secrets: options.secrets ?? [],
    allowedSecrets: options.allowedSecrets,
    encryption: options.encryption ? new AesCipher(options.encryption.keys) : undefined,
    strictConversions: options.strictConversions ?? false,
    types: options.types ?? [],
    stimulusTtlMs: options.stimulusTtlMs ?? 600_000,
    maxDeliveryAttempts: options.maxDeliveryAttempts ?? 10,
    pollIntervalMs: options.pollIntervalMs ?? 1000,
    deliveryConcurrency: options.deliveryConcurrency ?? 16,
    fanOutLimit: options.fanOutLimit ?? 100,
    maxActivities: options.maxActivities ?? 10_000,
    backgroundConcurrency: options.backgroundConcurrency ?? 16,
    backgroundTimeoutMs: options.backgroundTimeoutMs ?? false,
    dispatchLimits: options.dispatchLimits ?? {},
    drainTimeoutMs: options.drainTimeoutMs ?? 30_000,
    retentionMs: options.retentionMs ?? THIRTY_DAYS_MS,
    retentionOf: options.retentionOf ?? {},
    requestKeyRetentionMs: options.requestKeyRetentionMs ?? (options.retentionMs || THIRTY_DAYS_MS),
    deadLetterRetentionMs: options.deadLetterRetentionMs,
    auditRetentionMs: options.auditRetentionMs ?? NINETY_DAYS_MS,
    interruptedAfterMs: options.interruptedAfterMs ?? SHORTEST_TAKEOVER_MS,
    definitionFolders: options.definitionFolders ?? [],
    deployment: options.deployment && { id: options.deployment.id, order: options.deployment.order },
    missingCodeAlarmMs: options.missingCodeAlarmMs ?? 60_000,
  };
  if (resolved.encryption && !resolved.redaction)
    throw new OptionConflictError(
      OWNER,
      'encryption',
      'redaction: false',
      'without redaction, journals would store in clear text what states store encrypted. Leave one of them out.',
    );
  requireIncidentStrategy(resolved);
  return resolved;
}

/** @throws InvalidOptionError (`WM1090`) for a name that the first fault would look for in vain */
function requireIncidentStrategy({ defaultIncidentStrategy: name, incidentStrategies: own }: ResolvedRuntimeOptions) {
  if (findIncidentStrategy(name, own)) return;
  const known = optionKinds.inWords(['Fault', 'ContinueWithIncidents', ...Object.keys(own)]);
  throw new InvalidOptionError(
    OWNER,
    'defaultIncidentStrategy',
    `the name of an incident strategy: ${known}`,
    `'${name}'`,
  );
}
