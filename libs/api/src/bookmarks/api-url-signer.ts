import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { SignedUrls } from '@waymark/runtime';
import { type UrlSigner } from '@waymark/runtime/adapter';
import { API_OPTIONS, type ResolvedApiOptions } from '../module/api-options.js';
import { type BookmarkToken, type EventToken, TokenService } from './token-service.js';

/** Makes the URLs that this API answers, once it knows where clients reach it. */
@Injectable()
export class ApiUrlSigner implements UrlSigner, OnModuleInit {
  constructor(
    private readonly urls: SignedUrls,
    private readonly tokens: TokenService,
    @Inject(API_OPTIONS) private readonly options: ResolvedApiOptions,
  ) {}

  onModuleInit(): void {
    if (this.options.publicUrl !== undefined) this.urls.use(this);
  }

  bookmarkUrl(target: BookmarkToken, expiresAt?: Date): string {
    return `${this.options.publicUrl}/bookmarks/resume?t=${this.tokens.forBookmark(target, expiresAt)}`;
  }

  eventUrl(target: EventToken, expiresAt?: Date): string {
    return `${this.options.publicUrl}/events/trigger?t=${this.tokens.forEvent(target, expiresAt)}`;
  }
}
