export function runSpecification(file: string): Promise<object>;
