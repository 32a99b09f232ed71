/** An error that the user can correct; the command line prints its message without a stack. */
export class UserError extends Error {
  override readonly name = 'UserError';
}
