const OBSOLETE_DRIVER = 'WorkflowStorageDriver';
/** Aliases of the storage drivers that an author may choose. */
export const STORAGE_DRIVERS: readonly string[] = [
  'WorkflowInstanceStorageDriver',
  'MemoryStorageDriver',
  'EncryptedStorageDriver',
];
const DRIVERS = [...STORAGE_DRIVERS, OBSOLETE_DRIVER];
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
