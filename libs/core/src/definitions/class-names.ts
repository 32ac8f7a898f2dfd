const OBSOLETE_DRIVER = 'WorkflowStorageDriver';
/** Aliases of the storage drivers that an author may choose. */
export const STORAGE_DRIVERS: readonly string[] = [
  'WorkflowInstanceStorageDriver',
  'MemoryStorageDriver',
  'EncryptedStorageDriver',
];
const DRIVERS = [...STORAGE_DRIVERS, OBSOLETE_DRIVER];
/** Type names of the activation strategies, as the reference writes them. */
export const ACTIVATION_STRATEGIES = {
  AllowAlways: 'Elsa.Workflows.ActivationValidators.AllowAlwaysStrategy, Elsa.Workflows.Core',
  Singleton: 'Elsa.Workflows.Runtime.ActivationValidators.SingletonStrategy, Elsa.Workflows.Runtime',
  Correlation: 'Elsa.Workflows.Runtime.ActivationValidators.CorrelationStrategy, Elsa.Workflows.Runtime',
  CorrelatedSingleton:
    'Elsa.Workflows.Runtime.ActivationValidators.CorrelatedSingletonStrategy, Elsa.Workflows.Runtime',
} as const;
const INCIDENT_STRATEGIES = ['FaultStrategy', 'ContinueWithIncidentsStrategy'] as const;

/** Class name in a .NET type name: `Elsa.Workflows.X, Elsa.Workflows.Core` → `X`. */
export function classNameOf(typeName: string): string {
  const fullName = typeName.split(',', 1)[0]!.trim();
  return fullName.slice(fullName.lastIndexOf('.') + 1);
}

/** Alias of a storage driver in any spelling, whatever namespace it had; names of a host's own drivers stay as they are. */
export function storageDriverAlias(name: string): string {
  return DRIVERS.find((driver) => name.includes(driver)) ?? name;
}

/** Whether values are kept, or deliberately not kept, under this name of a storage driver. */
export function isStorageDriver(name: string): boolean {
  return DRIVERS.includes(storageDriverAlias(name));
}

/** Alias of an incident strategy, as tools offer it for selection; names of a host's own strategies stay as they are. */
export function incidentStrategyAlias(name: string): string {
  const className = classNameOf(name).toLowerCase();
  return INCIDENT_STRATEGIES.find((s) => s.toLowerCase() === className) ?? name;
}

/**
 * Type name of an activation strategy, which tools compare with those that they offer: a short name would be shown as none chosen.
 * Other names stay as they are.
 */
export function activationStrategyName(name: string): string {
  const className = classNameOf(name)
    .toLowerCase()
    .replace(/strategy$/, '');
  const known = Object.entries(ACTIVATION_STRATEGIES).find(([short]) => short.toLowerCase() === className);
  return known?.[1] ?? name;
}
