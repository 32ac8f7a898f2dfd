export declare function inTurn<T>(all: readonly T[], turns: number, draw?: string): T[];
