import { UserError } from '../platform/user-error.ts';

/** A change that the state of a client or a user forbids: a command prints it, the interface answers 409. */
export class AdministrationConflict extends UserError {
  readonly kind: string;
  readonly title: string;

  constructor(kind: string, title: string, detail: string) {
    super(detail);
    this.kind = kind;
    this.title = title;
  }
}
