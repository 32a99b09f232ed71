import { providerId } from '../auth/providers.ts';
import { UserError } from '../platform/user-error.ts';

export function readName(value: string): string {
  const name = value.trim();
  if (name === '') throw new UserError('The --name must not be empty.');
  return name;
}

/** The value of `--provider`, such as DE-ABC. */
export function readProvider(value: string): string {
  const [countryCode = '', code = '', ...rest] = value.split('-');
  if (code === '' || rest.length > 0)
    throw new UserError(`The --provider must be given such as DE-ABC, not "${value}".`);
  return providerId(countryCode, code);
}
