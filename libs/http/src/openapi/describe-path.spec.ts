import { expect, it } from '@jest/globals';
import type { OpenApiSchema } from '@waymark/runtime';
import { pathOfWritten } from '../endpoint/written-path.js';
import { parseRequestPath } from '../routing/request-path.js';
import { parseTemplate } from '../routing/route-template.js';
import { TemplateRouter } from '../routing/template-router.js';
import { describePaths, renamedAs, shapeOfPath } from './describe-path.js';

/** Something that a schema of a parameter takes. */
function sampleOf({ type, format, minimum, maximum, minLength, pattern, default: fallback }: OpenApiSchema): string {
  if (fallback !== undefined) return 'another';
  if (type === 'integer') return String(minimum ?? maximum ?? 7);
  if (type === 'number') return '1.5';
  if (type === 'boolean') return 'true';
  if (format === 'uuid') return '0f8fad5b-d9cb-469f-a165-70867728950e';
  return pattern === '^\\d{4}$' ? '2026' : 'abcdefgh'.slice(0, Math.max(minLength ?? 3, 1));
}

it.each([
  'orders',
  'orders/{id}',
  'orders/{id:int}/lines/{line:long}',
  'orders/{id:guid}',
  'flags/{on:bool}',
  'prices/{amount:decimal}',
  'names/{name:alpha:length(2,5)}',
  'names/{name:minlength(4)}',
  'pages/{page:range(3,9)}',
  'years/{year:regex(^\\d{{4}}$)}',
  'files/{name}.{extension}',
  'maybe/{first?}',
  'with/{folder=all}/{*rest}',
  'all/{**rest}',
  'files/{name}.{extension?}',
  'plain.{extension?}',
  'a/{{x}}/{y}',
  'my page/é/100%/{y}',
  'a%2fb/{y}',
])('the described paths of %s are served by it', (template) => {
  const router = new TemplateRouter<string>();
  router.add(parseTemplate(template.toLowerCase()), 'found');
  for (const { path, parameters } of describePaths(template)) {
    const asked = path.replaceAll(/\{([^}]+)\}/g, (_all, name: string) =>
      sampleOf(parameters.find((parameter) => parameter.name === name)!.schema),
    );
    expect([asked, router.find(parseRequestPath(asked)!)?.value]).toEqual([asked, 'found']);
  }
});

it('has a path without an extension that may be missing', () => {
  expect(describePaths('files/{name}.{ext?}').map(({ path }) => path)).toEqual([
    '/files/{name}.{ext}',
    '/files/{name}',
  ]);
  expect(describePaths('files/plain.{ext?}').map(({ path }) => path)).toEqual(['/files/plain.{ext}', '/files/plain']);
});

it('writes literal text as it stands in a URL, so that a brace does not begin a parameter', () => {
  const [{ path, parameters }] = describePaths('a/{{x}}/my page/é?/a%2fb/{y}') as [ReturnType<typeof describePaths>[0]];
  expect([path, parameters.map(({ name }) => name)]).toEqual(['/a/%7Bx%7D/my%20page/%C3%A9%3F/a%2Fb/{y}', ['y']]);
  expect(describePaths(pathOfWritten('a%252Fb'))[0]!.path).toBe('/a%252fb');
});

it('has a path for each parameter at the end that may be missing', () => {
  expect(describePaths('a/{b?}').map(({ path }) => path)).toEqual(['/a/{b}', '/a']);
  expect(describePaths('a/{b=1}/{*c}').map(({ path }) => path)).toEqual(['/a/{b}/{c}', '/a/{b}', '/a']);
  expect(describePaths('{a}').map(({ path }) => path)).toEqual(['/{a}']);
  expect(describePaths('').map(({ path }) => path)).toEqual(['/']);
});

it('says what a parameter takes', () => {
  const schemaOf = (constraint: string) => describePaths(`{value:${constraint}}`)[0]!.parameters[0]!.schema;
  expect(schemaOf('int')).toEqual({ type: 'integer', format: 'int32' });
  expect(schemaOf('int:min(3)')).toEqual({ type: 'integer', format: 'int32', minimum: 3 });
  expect(schemaOf('length(4)')).toEqual({ type: 'string', minLength: 4, maxLength: 4 });
  expect(schemaOf('datetime')).toEqual({ type: 'string' });
  expect(schemaOf('regex(^x)')).toEqual({ type: 'string', pattern: '^x' });
  expect(describePaths('{value=5}')[0]!.parameters[0]!.schema).toEqual({ type: 'string', default: '5' });
});

it('gives parameters the names of another path of the same shape', () => {
  const [described] = describePaths('orders/{number:int}');
  expect(shapeOfPath('/Orders/{id}')).toBe(shapeOfPath(described!.path));
  const { path, parameters } = renamedAs('/orders/{id}', described!);
  expect(path).toBe('/orders/{id}');
  expect(parameters).toEqual([expect.objectContaining({ name: 'id', schema: { type: 'integer', format: 'int32' } })]);
});
