// Compiled with `exactOptionalPropertyTypes`: an option that is undefined has its default, so all of them accept it. A name that the
// compiler prints here is that of a member which does not.
import type { ApiAuthenticationOptions, WorkflowApiOptions } from '@waymark/api';
import type {
  ActivityOptions,
  ActivitySettings,
  InputOptions,
  OutputOptions,
  RetryOptions,
  WorkflowModuleOptions,
} from '@waymark/nestjs';
import type { StudioOptions } from '@waymark/studio';
import type { TypeOrmPersistenceOptions } from '@waymark/typeorm';

type Refusing<T> = {
  [K in keyof T]-?: object extends Pick<T, K> ? ({ [P in K]: undefined } extends Pick<T, K> ? never : K) : never;
}[keyof T];

type Group<Name extends keyof WorkflowModuleOptions> = NonNullable<WorkflowModuleOptions[Name]>;

type AllRefusing =
  | Refusing<WorkflowModuleOptions>
  | Refusing<Group<'http'>>
  | Refusing<Group<'scheduling'>>
  | Refusing<Group<'javascript'>>
  | Refusing<Group<'liquid'>>
  | Refusing<Group<'deployment'>>
  | Refusing<WorkflowApiOptions>
  | Refusing<ApiAuthenticationOptions>
  | Refusing<StudioOptions>
  | Refusing<TypeOrmPersistenceOptions>
  | Refusing<ActivityOptions>
  | Refusing<ActivitySettings>
  | Refusing<InputOptions>
  | Refusing<OutputOptions>
  | Refusing<RetryOptions>;

export const noneRefuses: [AllRefusing] extends [never] ? true : AllRefusing = true;
