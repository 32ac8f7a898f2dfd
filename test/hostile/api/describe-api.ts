// The API has no OpenAPI document yet, but its routes and what they read are declared: this asks them.
import 'reflect-metadata';
import { DiscoveryService } from '@nestjs/core';
import type { INestApplication } from '@nestjs/common';
import type { ApiDocument, Operation, Schema } from './api-document.js';

type Reader = (value: unknown, path: string) => unknown;
interface Route {
  readonly verb: string;
  readonly path: string;
}

const CONTROLLER = Symbol.for('@waymark/api:controller');
const ROUTE = Symbol.for('@waymark/api:route');
/** Where Nest keeps the parameters of a route. */
const ARGUMENTS = '__routeArguments__';
const MOST_LEVELS = 6;

/** All routes of the management API in that application, in the order in which they are declared. */
export function describeApi(app: INestApplication): ApiDocument {
  return app
    .get(DiscoveryService, { strict: false })
    .getControllers()
    .flatMap(({ metatype }): Operation[] => {
      const base = metatype && (Reflect.getMetadata(CONTROLLER, metatype) as string | undefined);
      if (base === undefined || !metatype) return [];
      const prototype = (metatype as { prototype: Record<string, unknown> }).prototype;
      return Object.getOwnPropertyNames(prototype).flatMap((name): Operation[] => {
        const handler = prototype[name];
        const route =
          typeof handler === 'function' ? (Reflect.getMetadata(ROUTE, handler) as Route | undefined) : undefined;
        if (!route) return [];
        const reader = readerOf(metatype, name);
        const path = `/${[base, route.path].filter(Boolean).join('/')}`.replaceAll(/:(\w+)/g, '{$1}');
        return [
          {
            method: route.verb,
            path,
            ...(reader && { request: schemaOf({ reader, name: '', with: (value) => value }) }),
          },
        ];
      });
    });
}

function readerOf(controller: object, method: string): Reader | undefined {
  const all = (Reflect.getMetadata(ARGUMENTS, controller, method) ?? {}) as Record<string, { data?: unknown }>;
  return Object.values(all).find(({ data }) => typeof data === 'function')?.data as Reader | undefined;
}

/** A place within what a reader reads. */
interface Place {
  readonly reader: Reader;
  /** As messages name it; empty: all of it. */
  readonly name: string;
  /** All of it, with that value in the place. */
  with(value: unknown): unknown;
}

const memberOf = (place: Place, member: string): Place => ({
  reader: place.reader,
  name: place.name === '' ? member : `${place.name}.${member}`,
  with: (value) => place.with({ [member]: value }),
});
const itemOf = (place: Place): Place => ({
  reader: place.reader,
  name: `${place.name}[0]`,
  with: (value) => place.with([value]),
});

/** By what a reader looks for in a place, and by what it says of a value that cannot be right there: an empty object. */
function schemaOf(place: Place, level = 0): Schema {
  const names: string[] = [];
  const said = saidOf(place, probe(names));
  const enumeration = /must be one of ([^:]*?), but it is/.exec(said);
  if (enumeration) return { type: 'string', enum: enumeration[1]!.split(', ') };
  if (/must be a list/.test(said)) return { type: 'array', items: schemaOf(itemOf(place), level + 1) };
  if (/must be a text/.test(said)) return { type: 'string' };
  if (/must be (a whole number|\d+ or more)/.test(said)) return { type: 'integer' };
  if (/must be true or false/.test(said)) return { type: 'boolean' };
  if (/must be a date/.test(said)) return { type: 'string', format: 'date-time' };
  if (/must be Latest, Published/.test(said)) return { type: 'string', enum: ['Latest', 'Published', 'Draft', '7'] };
  if (names.length === 0 || level > MOST_LEVELS) return {};
  const members = [...new Set(names)];
  return {
    type: 'object',
    properties: Object.fromEntries(members.map((name) => [name, schemaOf(memberOf(place, name), level + 1)])),
    required: members.filter((name) => /must not be empty/.test(saidOf(memberOf(place, name), undefined))),
  };
}

/** What the reader says of that value in that place; of other places it may say what it likes. */
function saidOf({ reader, name, with: inPlace }: Place, value: unknown): string {
  try {
    reader(inPlace(value), '');
    return '';
  } catch (error) {
    const { errors = {} } = error as { errors?: Readonly<Record<string, readonly string[]>> };
    // Some readers report of the request as a whole, by name.
    const general = (errors.generalErrors ?? []).filter((message) => message.includes(`'${name}'`));
    return [...(errors[name] ?? []), ...general].join(' ');
  }
}

/** An object that notes which members it is asked for, and has none. */
const probe = (names: string[]): object =>
  new Proxy(
    {},
    {
      getOwnPropertyDescriptor(_target, name) {
        if (typeof name === 'string') names.push(name);
        return undefined;
      },
    },
  );
