/** A fault that the person at the command line can mend; its message is shown as it stands. */
export class UserError extends Error {
  override readonly name = 'UserError';
}
