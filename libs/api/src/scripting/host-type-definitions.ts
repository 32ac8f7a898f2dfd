/** Declarations of the .NET types that scripts may name, for the script editor: the members that are mostly used. */
export const HOST_TYPES = `declare class TimeSpan {
constructor(hours: number, minutes: number, seconds: number);
constructor(days: number, hours: number, minutes: number, seconds: number, milliseconds?: number);
readonly Days: number; readonly Hours: number; readonly Minutes: number; readonly Seconds: number; readonly Milliseconds: number; readonly Ticks: number;
readonly TotalDays: number; readonly TotalHours: number; readonly TotalMinutes: number; readonly TotalSeconds: number; readonly TotalMilliseconds: number;
Add(other: TimeSpan | string): TimeSpan; Subtract(other: TimeSpan | string): TimeSpan; Negate(): TimeSpan; Duration(): TimeSpan;
Multiply(factor: number): TimeSpan; Divide(divisor: number): TimeSpan; Divide(other: TimeSpan): number;
CompareTo(other: TimeSpan | string): number; Equals(other: TimeSpan): boolean; ToString(format?: string): string;
static readonly Zero: TimeSpan; static readonly MinValue: TimeSpan; static readonly MaxValue: TimeSpan;
static FromDays(days: number): TimeSpan; static FromHours(hours: number): TimeSpan; static FromMinutes(minutes: number): TimeSpan;
static FromSeconds(seconds: number): TimeSpan; static FromMilliseconds(milliseconds: number): TimeSpan; static FromTicks(ticks: number): TimeSpan;
static Parse(text: string): TimeSpan; static Compare(a: TimeSpan, b: TimeSpan): number;
}
declare class DateTime extends Date {
constructor(year: number, month: number, day: number, hour?: number, minute?: number, second?: number, kind?: 'Unspecified' | 'Utc' | 'Local');
constructor(year: number, month: number, day: number, hour: number, minute: number, second: number, millisecond: number, kind?: 'Unspecified' | 'Utc' | 'Local');
readonly Year: number; readonly Month: number; readonly Day: number; readonly Hour: number; readonly Minute: number; readonly Second: number; readonly Millisecond: number;
readonly Ticks: number; readonly DayOfWeek: string; readonly DayOfYear: number; readonly Date: DateTime; readonly TimeOfDay: TimeSpan; readonly Kind: string;
Add(span: TimeSpan | string): DateTime; Subtract(span: TimeSpan | string): DateTime; Subtract(date: Date): TimeSpan;
AddDays(n: number): DateTime; AddHours(n: number): DateTime; AddMinutes(n: number): DateTime; AddSeconds(n: number): DateTime;
AddMilliseconds(n: number): DateTime; AddMonths(n: number): DateTime; AddYears(n: number): DateTime;
CompareTo(other: Date): number; Equals(other: Date): boolean; ToUniversalTime(): DateTime; ToLocalTime(): DateTime; ToString(format?: string, culture?: string): string;
static readonly Now: DateTime; static readonly UtcNow: DateTime; static readonly Today: DateTime;
static readonly MinValue: DateTime; static readonly MaxValue: DateTime; static readonly UnixEpoch: DateTime;
static Parse(text: string): DateTime; static ParseExact(text: string, format: string): DateTime; static SpecifyKind(date: DateTime, kind: 'Unspecified' | 'Utc' | 'Local'): DateTime;
static DaysInMonth(year: number, month: number): number; static IsLeapYear(year: number): boolean; static Compare(a: Date, b: Date): number;
}
declare class DateTimeOffset extends Date {
constructor(date: Date, offset?: TimeSpan);
constructor(year: number, month: number, day: number, hour: number, minute: number, second: number, offset: TimeSpan);
readonly Year: number; readonly Month: number; readonly Day: number; readonly Hour: number; readonly Minute: number; readonly Second: number;
readonly Offset: TimeSpan; readonly DateTime: DateTime; readonly UtcDateTime: DateTime; readonly LocalDateTime: DateTime; readonly Date: DateTime;
Add(span: TimeSpan | string): DateTimeOffset; Subtract(span: TimeSpan | string): DateTimeOffset; Subtract(date: Date): TimeSpan;
AddDays(n: number): DateTimeOffset; AddHours(n: number): DateTimeOffset; AddMinutes(n: number): DateTimeOffset; AddSeconds(n: number): DateTimeOffset;
AddMonths(n: number): DateTimeOffset; AddYears(n: number): DateTimeOffset; ToOffset(offset: TimeSpan): DateTimeOffset;
ToUniversalTime(): DateTimeOffset; ToLocalTime(): DateTimeOffset; ToUnixTimeSeconds(): number; ToUnixTimeMilliseconds(): number; ToString(format?: string, culture?: string): string;
static readonly Now: DateTimeOffset; static readonly UtcNow: DateTimeOffset; static readonly UnixEpoch: DateTimeOffset;
static Parse(text: string): DateTimeOffset; static FromUnixTimeSeconds(seconds: number): DateTimeOffset; static FromUnixTimeMilliseconds(milliseconds: number): DateTimeOffset;
}
declare class Guid {
constructor(text: string);
ToString(format?: 'N' | 'D' | 'B' | 'P'): string; ToByteArray(): Uint8Array; Equals(other: Guid | string): boolean; CompareTo(other: Guid | string): number;
static readonly Empty: Guid; static NewGuid(): Guid; static Parse(text: string): Guid;
}
declare class Random {
constructor(seed?: number);
Next(): number; Next(maxValue: number): number; Next(minValue: number, maxValue: number): number; NextInt64(minValue: number, maxValue: number): number;
NextDouble(): number; NextSingle(): number; NextBytes(buffer: Uint8Array): void; Shuffle(values: any[]): void;
static readonly Shared: Random;
}
declare enum LogPersistenceMode {
Inherit = "Inherit",
Include = "Include",
Exclude = "Exclude",
}
declare class HttpHeaders {
ContentType: string; readonly Count: number; readonly Keys: string[];
Add(name: string, values: string[]): void; Remove(name: string): boolean; ContainsKey(name: string): boolean;
[name: string]: any;
}
declare class Downloadable {
constructor(content: any, filename?: string, contentType?: string, eTag?: string);
Stream: any; Filename: string; ContentType: string; ETag: string;
}
declare class HttpResilienceStrategy {
Id: string; DisplayName: string; MaxRetryAttempts: number; Delay: TimeSpan; BackoffType: 'Constant' | 'Linear' | 'Exponential'; UseJitter: boolean;
}
declare class ExpandoObject { [name: string]: any; }
declare class JsonNode { static Parse(text: string): any; }
declare class JsonObject extends JsonNode { [name: string]: any; }
declare class JsonElement { static Parse(text: string): any; }
`;
