import { providerId } from '../auth/providers.ts';
import { type Role, roles } from '../platform/http/principal.ts';
import { UserError } from '../platform/user-error.ts';

export function parseName(value: string): string {
  const name = value.trim();
  if (name === '') throw new UserError('The --name must not be empty.');
  return name;
}

export function parseEmail(value: string): string {
  if (value.length <= 254 && /^[^\s@]+@[^\s@]+$/.test(value)) return value;
  throw new UserError(`The --email must be an address such as anna@example.com, not "${value}".`);
}

export function parseUuid(value: string): string {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value)) return value.toLowerCase();
  throw new UserError(`The --id must be a UUID, not "${value}".`);
}

export function parseRole(value: string): Role {
  const role = roles.find((one) => one === value);
  if (!role) throw new UserError(`The role must be one of ${roles.join(', ')}, not "${value}".`);
  return role;
}

/** The end of a day in UTC, or an instant. */
export function parseExpiry(value: string): Date {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(value);
  const date = new Date(isDay ? `${value}T23:59:59.999Z` : value);
  const isReal = !Number.isNaN(date.getTime()) && (!isDay || date.toISOString().startsWith(value));
  if (!isReal) throw new UserError(`--expires must be a date such as 2027-12-31, not "${value}".`);
  if (date.getTime() <= Date.now()) throw new UserError('--expires must not be in the past.');
  return date;
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
