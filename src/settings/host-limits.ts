import type { LoginLimits, WorkflowApiOptions } from '@waymark/api';
import type { WorkflowModuleOptions } from '@waymark/nestjs';
import type { TypeOrmPersistenceOptions } from '@waymark/typeorm';
import { SettingsError, shown } from './settings-error.js';

type Given<T> = NonNullable<T>;
type Http = Given<WorkflowModuleOptions['http']>;
type JavaScript = Given<WorkflowModuleOptions['javascript']>;
type Liquid = Given<WorkflowModuleOptions['liquid']>;

/** Limits that the environment sets, by the options that they become. What is not set is left to the libraries. */
export interface HostLimits {
  readonly http: Partial<
    Record<
      Extract<
        keyof Http,
        | 'bodyBytes'
        | 'defaultBodyBytes'
        | 'bodyValues'
        | 'bodyMemoryBytes'
        | 'uploadBytes'
        | 'uploadDiskBytes'
        | 'bodyTimeoutMs'
        | 'answerBytesPerSecond'
        | 'answerMemoryBytes'
        | 'requestTimeoutMs'
        | 'maxResponseBytes'
        | 'maxResponseValues'
        | 'maxDownloadBytes'
        | 'maxWaitMs'
        | 'maxWaiting'
        | 'maxKeptAnswerBytes'
      >,
      number
    >
  >;
  readonly api: Partial<
    Record<
      Extract<
        keyof WorkflowApiOptions,
        | 'bodyBytes'
        | 'bodyValues'
        | 'definitionBytes'
        | 'bodyTimeoutMs'
        | 'answerBytesPerSecond'
        | 'importBytes'
        | 'importValues'
        | 'importFiles'
        | 'journalAnswerBytes'
        | 'journalExportBytes'
        | 'synchronousBulkLimit'
      >,
      number
    >
  >;
  readonly logins: Partial<Record<keyof LoginLimits, number>>;
  readonly runtime: Partial<Record<Extract<keyof WorkflowModuleOptions, 'maxActivities' | 'fanOutLimit'>, number>>;
  readonly javascript: Partial<
    Record<
      Extract<keyof JavaScript, 'timeoutMs' | 'blockingMs' | 'memoryMb' | 'maxScriptLength' | 'maxResultLength'>,
      number
    >
  >;
  readonly liquid: Partial<Record<Extract<keyof Liquid, 'timeoutMs' | 'memoryLimit' | 'maxTemplateLength'>, number>>;
  readonly persistence: Partial<
    Record<
      Extract<
        keyof TypeOrmPersistenceOptions,
        'maxStateBytes' | 'journalValueBytes' | 'maxJournalBytes' | 'statementTimeoutMs'
      >,
      number
    >
  >;
}

/** A whole number from the first to the second. */
type Variable = readonly [name: string, from: number, to: number];

const KB = 1024;
const MB = 1024 * KB;
const HOUR_MS = 3_600_000;
/** What is counted in memory cannot be more. */
const MANY = 1_000_000_000;

/** The variables, and what the libraries take. */
export const LIMIT_VARIABLES: {
  readonly [G in keyof HostLimits]: { readonly [O in keyof HostLimits[G]]-?: Variable };
} = {
  http: {
    bodyBytes: ['WAYMARK_HTTP_BODY_BYTES', 1, MANY],
    defaultBodyBytes: ['WAYMARK_HTTP_DEFAULT_BODY_BYTES', 1, MANY],
    bodyValues: ['WAYMARK_HTTP_BODY_VALUES', 1, MANY],
    bodyMemoryBytes: ['WAYMARK_HTTP_BODY_MEMORY_BYTES', 1, 1000 * MANY],
    uploadBytes: ['WAYMARK_HTTP_UPLOAD_BYTES', 1, 10 * MANY],
    uploadDiskBytes: ['WAYMARK_HTTP_UPLOAD_DISK_BYTES', 1, 1000 * MANY],
    bodyTimeoutMs: ['WAYMARK_HTTP_BODY_TIMEOUT_MS', 1, HOUR_MS],
    answerBytesPerSecond: ['WAYMARK_HTTP_ANSWER_RATE', 1, MANY],
    answerMemoryBytes: ['WAYMARK_HTTP_ANSWER_MEMORY', 1, 1000 * MANY],
    requestTimeoutMs: ['WAYMARK_HTTP_REQUEST_TIMEOUT_MS', 1, HOUR_MS],
    maxResponseBytes: ['WAYMARK_HTTP_RESPONSE_BYTES', 1, MANY],
    maxResponseValues: ['WAYMARK_HTTP_RESPONSE_VALUES', 1, MANY],
    maxDownloadBytes: ['WAYMARK_HTTP_DOWNLOAD_BYTES', 1, MANY],
    maxWaitMs: ['WAYMARK_HTTP_WAIT_MS', 0, HOUR_MS],
    maxWaiting: ['WAYMARK_HTTP_WAITING', 0, MANY],
    maxKeptAnswerBytes: ['WAYMARK_HTTP_KEPT_ANSWER_BYTES', 0, MANY],
  },
  api: {
    bodyBytes: ['WAYMARK_API_BODY_BYTES', 1, 256 * MB],
    bodyValues: ['WAYMARK_API_BODY_VALUES', 1, MANY],
    definitionBytes: ['WAYMARK_API_DEFINITION_BYTES', 1, 256 * MB],
    bodyTimeoutMs: ['WAYMARK_API_BODY_TIMEOUT_MS', 1, HOUR_MS],
    answerBytesPerSecond: ['WAYMARK_API_ANSWER_RATE', 1, MANY],
    importBytes: ['WAYMARK_API_IMPORT_BYTES', 1, 256 * MB],
    importValues: ['WAYMARK_API_IMPORT_VALUES', 1, MANY],
    importFiles: ['WAYMARK_API_IMPORT_FILES', 1, MANY],
    journalAnswerBytes: ['WAYMARK_API_JOURNAL_ANSWER_BYTES', 0, 256 * MB],
    journalExportBytes: ['WAYMARK_API_JOURNAL_EXPORT_BYTES', 0, 256 * MB],
    synchronousBulkLimit: ['WAYMARK_API_SYNCHRONOUS_BULK', 0, 10_000],
  },
  logins: {
    accountFailures: ['WAYMARK_LOGIN_ACCOUNT_FAILURES', 1, MANY],
    addressFailures: ['WAYMARK_LOGIN_ADDRESS_FAILURES', 1, MANY],
  },
  runtime: {
    maxActivities: ['WAYMARK_MAX_ACTIVITIES', 1, MANY],
    fanOutLimit: ['WAYMARK_FAN_OUT', 1, MANY],
  },
  javascript: {
    timeoutMs: ['WAYMARK_JAVASCRIPT_TIMEOUT_MS', 1, 600_000],
    blockingMs: ['WAYMARK_JAVASCRIPT_BLOCKING_MS', 1, 600_000],
    memoryMb: ['WAYMARK_JAVASCRIPT_MEMORY_MB', 24, 1024],
    maxScriptLength: ['WAYMARK_JAVASCRIPT_SCRIPT_LENGTH', 1, 100_000_000],
    maxResultLength: ['WAYMARK_JAVASCRIPT_RESULT_LENGTH', 1, 500_000_000],
  },
  liquid: {
    timeoutMs: ['WAYMARK_LIQUID_TIMEOUT_MS', 1, 600_000],
    memoryLimit: ['WAYMARK_LIQUID_MEMORY', 1, MANY],
    maxTemplateLength: ['WAYMARK_LIQUID_TEMPLATE_LENGTH', 1, 100_000_000],
  },
  persistence: {
    maxStateBytes: ['WAYMARK_STATE_BYTES', 64 * KB, 256 * MB],
    journalValueBytes: ['WAYMARK_JOURNAL_VALUE_BYTES', KB, 16 * MB],
    maxJournalBytes: ['WAYMARK_JOURNAL_BYTES', 0, 1000 * MANY],
    statementTimeoutMs: ['WAYMARK_STATEMENT_TIMEOUT_MS', 100, 600_000],
  },
};

/** @throws SettingsError naming the variable */
export function readLimits(env: NodeJS.ProcessEnv): HostLimits {
  const groups = Object.entries(LIMIT_VARIABLES).map(([group, options]) => {
    const given = Object.entries(options).flatMap(([option, variable]) => {
      const limit = readLimit(variable as Variable, env);
      return limit === undefined ? [] : [[option, limit] as const];
    });
    return [group, Object.fromEntries(given)] as const;
  });
  const limits = Object.fromEntries(groups) as unknown as HostLimits;
  const { bodyBytes, defaultBodyBytes } = limits.http;
  if (defaultBodyBytes !== undefined && bodyBytes !== undefined && defaultBodyBytes > bodyBytes)
    throw new SettingsError(
      `WAYMARK_HTTP_DEFAULT_BODY_BYTES=${defaultBodyBytes} is more than WAYMARK_HTTP_BODY_BYTES=${bodyBytes}, which no endpoint may exceed.`,
    );
  return limits;
}

function readLimit([name, from, to]: Variable, env: NodeJS.ProcessEnv): number | undefined {
  const text = env[name]?.trim();
  if (!text) return undefined;
  const limit = /^\d+$/.test(text) ? Number(text) : NaN;
  if (limit >= from && limit <= to) return limit;
  throw new SettingsError(`${name} must be a whole number from ${from} to ${to}, not ${shown(text)}.`);
}
