import { OPEN_API_METHODS, type OpenApiDocument } from './open-api-document.js';
import { toOpenApi31 } from './to-open-api-31.js';

type Members = Record<string, unknown>;

/**
 * The members that an OpenAPI document of the application needs to be merged with those of Waymark; that of `@nestjs/swagger`
 * has it. @see https://spec.openapis.org/oas/v3.0.3.html
 */
export interface MergeableDocument {
  readonly openapi: string;
  readonly paths: object;
  readonly components?: object;
  readonly tags?: readonly { readonly name: string }[];
}

/** Result of `mergeOpenApi`. */
export interface MergedOpenApi<D> {
  /** The merged document. The given documents are not changed. */
  readonly document: D;
  /**
   * Conflicts, in which the application's part was kept: `GET /orders` for an operation, `components/schemas/Order` for a
   * component that differs, `operationId getOrder`. Conflicting operations of Waymark are left out; its components and
   * operation ids are renamed.
   */
  readonly conflicts: readonly string[];
}

/** Kinds of components that our documents have. */
const KINDS = ['schemas', 'responses', 'securitySchemes'] as const;
const SUFFIX = 'Waymark';

/**
 * Adds documents of Waymark to the OpenAPI document of the application, such as that of `@nestjs/swagger` (which is not
 * required). In conflicts, the application's part is kept.
 *
 * @param documents of `WorkflowOpenApi`, and of `ManagementOpenApi` where the management API is to be shown
 * @example
 * const { document, conflicts } = mergeOpenApi(SwaggerModule.createDocument(app, config), await endpoints.document());
 */
export function mergeOpenApi<D extends MergeableDocument>(
  application: D,
  ...documents: readonly OpenApiDocument[]
): MergedOpenApi<D> {
  const conflicts: string[] = [];
  const merged = structuredClone(application) as D & Members;
  for (const document of documents) add(merged, document, conflicts);
  return { document: merged, conflicts };
}

function add(target: Members & MergeableDocument, document: OpenApiDocument, conflicts: string[]): void {
  const ours = structuredClone(document) as unknown as OpenApiDocument;
  const components = membersOf(target, 'components');
  const names = namesFor(components, ours, conflicts);
  const written = rename(/^3\.[1-9]/.test(target.openapi) ? toOpenApi31(ours) : ours, names) as OpenApiDocument;
  for (const kind of KINDS) {
    const known = membersOf(components, kind);
    for (const [name, component] of Object.entries(written.components[kind]))
      known[names.get(`${kind}/${name}`) ?? name] ??= component;
  }
  addPaths(target, written, conflicts);
  const tags = target.tags ?? [];
  const isNew = ({ name }: { name: string }): boolean => !tags.some((tag) => tag.name === name);
  (target as Members).tags = [...tags, ...written.tags.filter(isNew)];
}

/** New names of our components that the application has with another content. */
function namesFor(components: Members, ours: OpenApiDocument, conflicts: string[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const kind of KINDS) {
    const known = membersOf(components, kind);
    for (const [name, component] of Object.entries(ours.components[kind])) {
      if (!Object.hasOwn(known, name) || isSame(known[name], component)) continue;
      conflicts.push(`components/${kind}/${name}`);
      let free = `${name}${SUFFIX}`;
      while (Object.hasOwn(known, free)) free += '_';
      names.set(`${kind}/${name}`, free);
    }
  }
  return names;
}

const isSame = (a: unknown, b: unknown): boolean =>
  JSON.stringify(a) === JSON.stringify(b) || JSON.stringify(a) === JSON.stringify(toOpenApi31(b));

/** References to components, and the names of security schemes in `security`, follow their components. */
function rename(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (names.size === 0) return value;
  if (Array.isArray(value)) return value.map((item) => rename(item, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      if (key === '$ref' && typeof member === 'string') return [key, renamedReference(member, names)];
      if (key === 'security' && Array.isArray(member))
        return [key, member.map((needs: object) => renamedSchemes(needs, names))];
      return [key, rename(member, names)];
    }),
  );
}

function renamedReference(reference: string, names: ReadonlyMap<string, string>): string {
  const [, kind, name] = /^#\/components\/(\w+)\/(.+)$/.exec(reference) ?? [];
  const renamed = names.get(`${kind}/${name}`);
  return renamed === undefined ? reference : `#/components/${kind}/${renamed}`;
}

const renamedSchemes = (needs: object, names: ReadonlyMap<string, string>): object =>
  Object.fromEntries(
    Object.entries(needs).map(([name, scopes]) => [names.get(`securitySchemes/${name}`) ?? name, scopes]),
  );

function addPaths(target: MergeableDocument, ours: OpenApiDocument, conflicts: string[]): void {
  const paths = target.paths as Record<string, Members>;
  const known = new Map(Object.keys(paths).map((path) => [shapeOf(path), path]));
  const ids = new Set(
    Object.values(paths)
      .flatMap(operationsOf)
      .map(({ operationId }) => operationId),
  );
  for (const [path, item] of Object.entries(ours.paths)) {
    // The same path with other names of its parameters is the same path.
    const there = known.get(shapeOf(path));
    for (const [method, operation] of Object.entries(item)) {
      if (there !== undefined && (there !== path || Object.hasOwn(paths[there]!, method))) {
        conflicts.push(`${method.toUpperCase()} ${path}`);
        continue;
      }
      const added = { ...operation } as Members;
      if (ids.has(added.operationId)) {
        conflicts.push(`operationId ${String(added.operationId)}`);
        added.operationId = `${String(added.operationId)}${SUFFIX}`;
      }
      ids.add(added.operationId);
      (paths[path] ??= {})[method] = added;
    }
  }
}

const shapeOf = (path: string): string => path.replaceAll(/\{[^}]*\}/g, '{}').toLowerCase();

const operationsOf = (item: Members): Members[] =>
  OPEN_API_METHODS.flatMap((method) => (item[method] === undefined ? [] : [item[method] as Members]));

/** Made where it is missing. */
function membersOf(of: Members, name: string): Members {
  return (of[name] ??= {}) as Members;
}
