export declare function inTurn<T>(all: readonly T[], turns: number, draw?: string): T[];
export declare function hasTurn(name: string, draw?: string): boolean;
