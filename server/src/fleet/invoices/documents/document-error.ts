/**
 * Why a document is not read at all: `malformed` is not well-formed or beyond a bound, `unsupported` is no
 * electronic invoice of a kind that is read.
 */
export class DocumentError extends Error {
  override readonly name = 'DocumentError';
  readonly reason: 'malformed' | 'unsupported';

  constructor(reason: 'malformed' | 'unsupported', message: string) {
    super(message);
    this.reason = reason;
  }
}
