const STRATEGIES = ['allowalways', 'singleton', 'correlatedsingleton', 'correlation'] as const;

/** Strategies are known by class name, whatever the namespace; undefined: there is none of that name. */
export function findActivationStrategy(typeName: string): (typeof STRATEGIES)[number] | undefined {
  const className = typeName.split(',')[0]!.split('.').at(-1)!;
  const wanted = className
    .trim()
    .toLowerCase()
    .replace(/strategy$/, '');
  return STRATEGIES.find((name) => name === wanted);
}
