import { Tokenizer, type TopLevelToken, TypeGuards } from 'liquidjs';

type Options = Parameters<Tokenizer['readTopLevelToken']>[0];

const END_OF_COMMENT = /\{%-?\s*endcomment(?![\w-])/g;

/**
 * The engine's tokenizer, which reads what stands in comments as well: an output or a tag without its end there, or a `{% raw %}`, was an
 * error of the whole template. In Elsa a comment is any text up to its end.
 */
export class TemplateTokenizer extends Tokenizer {
  private isInComment = false;

  override readTopLevelToken(options: Options): TopLevelToken {
    if (this.isInComment) {
      END_OF_COMMENT.lastIndex = this.p;
      // Nothing of it is rendered, so it needs no token. Without an end, the tag of the comment says so.
      this.p = END_OF_COMMENT.exec(this.input)?.index ?? this.N;
    }
    const token = super.readTopLevelToken(options);
    this.isInComment = TypeGuards.isTagToken(token) && token.name === 'comment';
    return token;
  }
}
