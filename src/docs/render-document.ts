import {
  type OpenApiContent,
  type OpenApiDocument,
  type OpenApiOperation,
  type OpenApiParameter,
  type OpenApiReference,
  type OpenApiResponse,
} from '@waymark/runtime';
import { OPEN_API_METHODS } from '@waymark/runtime/adapter';
import { type Html, markup } from './html.js';
import { anchorOf, renderSchema } from './render-schema.js';

interface Place {
  readonly method: string;
  readonly path: string;
  readonly operation: OpenApiOperation;
}

/** One document as a part of the page. @param prefix of its anchors @param href of its JSON */
export function renderDocument(document: OpenApiDocument, prefix: string, href: string): Html {
  const places = Object.entries(document.paths).flatMap(([path, item]) =>
    OPEN_API_METHODS.flatMap((method): Place[] => {
      const operation = item[method];
      return operation ? [{ method, path, operation }] : [];
    }),
  );
  const groups = document.tags.map(({ name, description }) => {
    const own = places.filter(({ operation }) => operation.tags[0] === name);
    return markup`<h3>${name}</h3>
      ${description === undefined ? undefined : markup`<p>${description}</p>`}
      ${own.map((place) => renderOperation(place, document, prefix))}`;
  });
  return markup`<section id="${prefix}">
    <h2>${document.info.title}</h2>
    ${document.info.description === undefined ? undefined : markup`<p>${document.info.description}</p>`}
    <p>OpenAPI ${document.openapi}, ${places.length} operations: <a href="${href}">${href}</a></p>
    ${groups} ${renderSchemas(document, prefix)}
  </section>`;
}

function renderSchemas({ components }: OpenApiDocument, prefix: string): Html | undefined {
  const schemas = Object.entries(components.schemas);
  if (schemas.length === 0) return undefined;
  return markup`<h3>Schemas</h3>
    ${schemas.map(
      ([name, schema]) =>
        markup`<h4 id="${anchorOf(prefix, name)}">${name}</h4>
          <pre>${renderSchema(schema, prefix)}</pre> `,
    )}`;
}

function renderOperation({ method, path, operation }: Place, document: OpenApiDocument, prefix: string): Html {
  const { summary, description, parameters = [], requestBody, responses, security } = operation;
  const paragraphs = description?.split('\n\n').map((text) => markup`<p>${prose(text)}</p>`);
  const needs = security?.flatMap((one) => Object.keys(one)) ?? [];
  return markup`<details>
    <summary><code class="${method}">${method.toUpperCase()}</code> <code>${path}</code> ${summary}</summary>
    ${paragraphs} ${needs.length > 0 ? markup`<p>Credentials: ${needs.join(' or ')}.</p>` : undefined}
    ${parameters.length > 0 ? renderParameters(parameters, prefix) : undefined}
    ${requestBody ? markup`<h4>Body${requestBody.required ? '' : ' (may be missing)'}</h4>` : undefined}
    ${requestBody ? renderContent(requestBody.content, prefix) : undefined}
    <h4>Answers</h4>
    <dl>
      ${Object.entries(responses).map(([status, answer]) => renderAnswer(status, resolve(answer, document), prefix))}
    </dl>
  </details>`;
}

/** Text with `code` between backticks. */
const prose = (text: string): Html[] =>
  text.split('`').map((part, i) => (i % 2 === 0 ? markup`${part}` : markup`<code>${part}</code>`));

const renderParameters = (parameters: readonly OpenApiParameter[], prefix: string): Html =>
  markup`<h4>Parameters</h4>
    <table>
      ${parameters.map(
        ({ name, in: place, required, description, schema }) =>
          markup`<tr>
            <th>${name}</th>
            <td>${place}${required ? ', required' : ''}</td>
            <td><code>${renderSchema(schema, prefix)}</code> ${description}</td>
          </tr>`,
      )}
    </table>`;

const renderContent = (content: OpenApiContent, prefix: string): Html =>
  markup`${Object.entries(content).map(
    ([type, { schema }]) =>
      markup`<p><code>${type}</code></p>
        <pre>${renderSchema(schema, prefix)}</pre> `,
  )}`;

const renderAnswer = (status: string, { description, content }: OpenApiResponse, prefix: string): Html =>
  markup`<dt>${status}</dt>
    <dd>${prose(description)} ${content ? renderContent(content, prefix) : undefined}</dd>`;

function resolve(answer: OpenApiResponse | OpenApiReference, { components }: OpenApiDocument): OpenApiResponse {
  if (!('$ref' in answer)) return answer;
  return components.responses[answer.$ref.split('/').at(-1)!] ?? { description: '' };
}
