import { providerId } from '../auth/providers.ts';
import { UserError } from '../platform/user-error.ts';

export function parseName(value: string): string {
  const name = value.trim();
  if (name === '') throw new UserError('The --name must not be empty.');
  return name;
}

/** The value of `--provider`, such as DE-ABC. */
export function parseProvider(value: string): string {
  const [countryCode = '', code = '', ...rest] = value.split('-');
  if (code === '' || rest.length > 0)
    throw new UserError(`The --provider must be given such as DE-ABC, not "${value}".`);
  return providerId(countryCode, code);
}

export function numberParser(option: string, minimum: number, maximum: number) {
  return (value: string): number => {
    const number = Number(value);
    if (value.trim() === '' || !(number >= minimum && number <= maximum)) {
      throw new UserError(
        `${option} must be a number from ${minimum} to ${maximum}, not "${value}".`,
      );
    }
    return number;
  };
}

export function integerParser(option: string, minimum: number, maximum: number) {
  return (value: string): number => {
    if (!/^\d+$/.test(value) || Number(value) < minimum || Number(value) > maximum) {
      throw new UserError(
        `${option} must be a whole number from ${minimum} to ${maximum}, not "${value}".`,
      );
    }
    return Number(value);
  };
}
