import {
  applyDecorators,
  Controller,
  Delete,
  Get,
  HttpCode,
  Post,
  Put,
  SetMetadata,
  UseFilters,
  UseGuards,
  UseInterceptors,
  VERSION_NEUTRAL,
} from '@nestjs/common';
import { AuditGuard } from '../audit/audit.guard.js';
import { AuditInterceptor } from '../audit/audit.interceptor.js';
import { ApiExceptionFilter } from '../answers/api-exception.filter.js';
import { HeadRequestsGuard } from '../answers/head-requests.js';
import { UncachedGuard } from '../answers/uncached.guard.js';
import { WholeAnswersInterceptor } from '../answers/whole-answers.interceptor.js';
import { WireJsonInterceptor } from '../answers/wire-json.interceptor.js';
import { BodyLimitsGuard } from '../requests/body-limits.js';
import { ApiAuthGuard } from '../identity/api-auth.guard.js';
import { Requires } from '../identity/permissions.js';
import { API_CONTROLLER, API_ROUTE } from '../requests/api-routes.js';
import { OfManagementApi } from '../requests/is-management-api.js';
import { HiddenFromSwagger } from './hidden-from-swagger.js';

/** A controller of the API: guarded, answering and failing in the wire format. */
export const ApiController = (path = ''): ClassDecorator =>
  applyDecorators(
    // Where clients of the reference look for it, whatever versions the application's own paths have.
    Controller({ path, version: VERSION_NEUTRAL }),
    SetMetadata(API_CONTROLLER, path),
    OfManagementApi(),
    HiddenFromSwagger(),
    UseGuards(UncachedGuard, AuditGuard, ApiAuthGuard, HeadRequestsGuard, BodyLimitsGuard),
    UseFilters(ApiExceptionFilter),
    UseInterceptors(WholeAnswersInterceptor, WireJsonInterceptor, AuditInterceptor),
  );

const route = (verb: string, path: string): MethodDecorator => SetMetadata(API_ROUTE, { verb, path });

/** Decorators of routes. Any one of the permissions is sufficient; without any, every user who is logged in may call the route. */
export const ApiGet = (path: string, ...permissions: string[]): MethodDecorator =>
  applyDecorators(Get(path), route('GET', path), Requires(...permissions));

/** Answers 200, not 201 as Nest does. */
export const ApiPost = (path: string, ...permissions: string[]): MethodDecorator =>
  applyDecorators(Post(path), route('POST', path), HttpCode(200), Requires(...permissions));

export const ApiPut = (path: string, ...permissions: string[]): MethodDecorator =>
  applyDecorators(Put(path), route('PUT', path), Requires(...permissions));

export const ApiDelete = (path: string, ...permissions: string[]): MethodDecorator =>
  applyDecorators(Delete(path), route('DELETE', path), Requires(...permissions));
