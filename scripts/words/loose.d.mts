export declare function looseOf(pattern: RegExp): RegExp;
