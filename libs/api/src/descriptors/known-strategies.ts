/** Something that definitions choose by type name. */
export interface StrategyDescriptor {
  readonly displayName: string;
  readonly description: string;
  readonly typeName: string;
}

export const INCIDENT_STRATEGIES: readonly StrategyDescriptor[] = [
  {
    displayName: 'Continue with incidents',
    description: 'A fault is recorded as an incident; other branches continue.',
    typeName: 'ContinueWithIncidentsStrategy',
  },
  { displayName: 'Fault', description: 'The first fault ends the workflow.', typeName: 'FaultStrategy' },
];

export const ACTIVATION_STRATEGIES: readonly StrategyDescriptor[] = [
  {
    displayName: 'Always',
    description: 'Any number of instances at the same time.',
    typeName: 'Elsa.Workflows.ActivationValidators.AllowAlwaysStrategy, Elsa.Workflows.Core',
  },
  {
    displayName: 'Correlated singleton',
    description: 'One running instance of this workflow for each correlation id.',
    typeName: 'Elsa.Workflows.Runtime.ActivationValidators.CorrelatedSingletonStrategy, Elsa.Workflows.Runtime',
  },
  {
    displayName: 'Correlation',
    description: 'One running instance of any workflow for each correlation id.',
    typeName: 'Elsa.Workflows.Runtime.ActivationValidators.CorrelationStrategy, Elsa.Workflows.Runtime',
  },
  {
    displayName: 'Singleton',
    description: 'One running instance of this workflow.',
    typeName: 'Elsa.Workflows.Runtime.ActivationValidators.SingletonStrategy, Elsa.Workflows.Runtime',
  },
];

const logPersistence = (name: string, description: string): StrategyDescriptor => ({
  displayName: name,
  description,
  typeName: `Elsa.Workflows.LogPersistence.Strategies.${name}, Elsa.Workflows.Core`,
});

export const LOG_PERSISTENCE_STRATEGIES: readonly StrategyDescriptor[] = [
  logPersistence('Configuration', 'As the server is configured.'),
  logPersistence('Exclude', 'The value is left out of the journal.'),
  logPersistence('Include', 'The value is written to the journal.'),
  logPersistence('Inherit', 'As the level above says.'),
];

/** Offered where the host has keys. */
export const ENCRYPTED_STORAGE_DRIVER = {
  typeName: 'EncryptedStorageDriver',
  displayName: 'Workflow Instance (encrypted)',
  priority: 1,
  deprecated: false,
} as const;

/** By the names that definitions are answered with: Studio compares them, and shows "None" for a variable of another one. */
export const STORAGE_DRIVERS = [
  {
    typeName: 'WorkflowInstanceStorageDriver',
    displayName: 'Workflow Instance',
    priority: 5,
    deprecated: false,
  },
  {
    typeName: 'MemoryStorageDriver',
    displayName: 'Memory',
    priority: 0,
    deprecated: false,
  },
  {
    typeName: 'WorkflowStorageDriver',
    displayName: 'Workflow',
    priority: -1,
    deprecated: true,
  },
] as const;
