import { Body, Controller, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ManagementOpenApi } from '@waymark/api';
import { isWaymarkError } from '@waymark/core';
import { WorkflowOpenApi } from '@waymark/http';
import type { OpenApiDocument } from '@waymark/runtime';
import { DocsAccess, type DocsForm } from './docs-access.js';
import { DOCS_HEADERS, docsPage, loginPage } from './docs-page.js';
import type { Html } from './html.js';
import { renderDocument } from './render-document.js';

interface Request {
  readonly headers: { readonly authorization?: string };
  readonly ip?: string;
}

interface Reply {
  code(status: number): Reply;
  headers(headers: Readonly<Record<string, string>>): Reply;
  send(body: string): unknown;
}

export const DOCS_PATH = '/docs';

const ENDPOINTS_JSON = `${DOCS_PATH}/endpoints.json`;

/** Shows the endpoints of workflows and the management API, as a page for people and as documents for tools. */
@Controller(DOCS_PATH)
export class DocsController {
  /** Each document once: they are the same objects until they change. */
  private readonly rendered = new WeakMap<OpenApiDocument, Html>();

  constructor(
    private readonly endpoints: WorkflowOpenApi,
    private readonly management: ManagementOpenApi,
    private readonly access: DocsAccess,
  ) {}

  @Get()
  get(@Req() request: Request, @Res() reply: Reply): Promise<void> {
    return this.answer(request, {}, reply);
  }

  /** The page itself sends credentials so. */
  @Post()
  @HttpCode(200)
  post(@Req() request: Request, @Body() form: DocsForm | undefined, @Res() reply: Reply): Promise<void> {
    return this.answer(request, form ?? {}, reply);
  }

  @Get('endpoints.json')
  async document(@Req() { headers, ip }: Request): Promise<OpenApiDocument> {
    this.access.require(headers.authorization, {}, ip);
    return this.endpoints.document();
  }

  private async answer({ headers, ip }: Request, form: DocsForm, reply: Reply): Promise<void> {
    try {
      this.access.require(headers.authorization, form, ip);
    } catch (error) {
      const status = isWaymarkError(error, 'WM8004') ? 401 : isWaymarkError(error, 'WM8005') ? 403 : undefined;
      if (status === undefined) throw error;
      // By name: a body that is no form may be a text of a megabyte, whose members are its characters.
      const isAsked = [form.key, form.username, form.password].some((value) => value !== undefined && value !== '');
      const problem = isAsked || status === 403 ? (error as Error).message : undefined;
      reply.code(status).headers(DOCS_HEADERS).send(loginPage(problem));
      return;
    }
    const endpoints = this.render(await this.endpoints.document(), 'endpoints', ENDPOINTS_JSON);
    const management = this.render(this.management.document(), 'management', '/elsa/api/openapi.json');
    reply.code(200).headers(DOCS_HEADERS).send(docsPage(endpoints, management));
  }

  private render(document: OpenApiDocument, prefix: string, href: string): Html {
    const known = this.rendered.get(document);
    if (known) return known;
    const made = renderDocument(document, prefix, href);
    this.rendered.set(document, made);
    return made;
  }
}
