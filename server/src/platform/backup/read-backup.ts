import { json } from 'node:stream/consumers';
import type { Static, TSchema } from 'typebox';
import Value from 'typebox/value';
import { UserError } from '../user-error.ts';
import {
  type DumpedTable,
  formatName,
  formatVersion,
  Header,
  HeaderOfAnyFormat,
  Manifest,
  names,
} from './format.ts';
import { InvalidArchive, readTar, type TarEntry } from './tar.ts';

const maxJsonBytes = 1_048_576;
/** A century: each month becomes a partition. */
const maxMonths = 1_200;

/** The entries of a backup, one after the other. */
export class BackupReader {
  readonly #entries: AsyncGenerator<TarEntry>;
  current: TarEntry | undefined;

  constructor(bytes: AsyncIterable<Buffer>) {
    this.#entries = readTar(bytes);
  }

  async advance(): Promise<void> {
    const { value, done } = await this.#entries.next();
    this.current = done ? undefined : value;
  }

  /** The first entry; afterwards, the current one is the next. */
  async header(): Promise<Header> {
    await this.advance();
    const read = this.current?.name === names.header ? await this.#json() : undefined;
    const sent = read as Partial<Header> | null | undefined;
    if (sent?.format !== formatName) throw new InvalidArchive('it is no backup of Motorpool');
    if (sent.formatVersion !== formatVersion) {
      const { program } = requireShape(HeaderOfAnyFormat, sent, names.header);
      throw new UserError(
        `The backup was made by Motorpool ${program}, in a newer format: restore it with that one.`,
      );
    }
    const header = requireShape(Header, sent, names.header);
    for (const table of header.tables) requireFewMonths(table);
    return header;
  }

  /** The last entry; the archive is read to its end. */
  async manifest(): Promise<Manifest> {
    if (this.current?.name !== names.manifest)
      throw new InvalidArchive(
        `it has the unknown entry ${JSON.stringify(this.current?.name ?? '')}`,
      );
    const manifest = requireShape(Manifest, await this.#json(), names.manifest);
    if (this.current !== undefined) throw new InvalidArchive('it goes on after its end');
    return manifest;
  }

  async #json(): Promise<unknown> {
    if (!this.current) throw new InvalidArchive('it ends too early');
    if (this.current.size > maxJsonBytes)
      throw new InvalidArchive(`its ${this.current.name} is too large`);
    const value = await json(this.current.body).catch((error) => {
      throw error instanceof SyntaxError ? new InvalidArchive(error.message) : error;
    });
    await this.advance();
    return value;
  }
}

/** Names become part of statements, and what is shown, before the rows tell whether the backup is whole. */
function requireShape<Schema extends TSchema>(
  schema: Schema,
  value: unknown,
  entry: string,
): Static<Schema> {
  if (Value.Check(schema, value)) return value as Static<Schema>;
  const [error] = Value.Errors(schema, value);
  throw new InvalidArchive(`its ${entry} is wrong at ${JSON.stringify(error?.instancePath ?? '')}`);
}

function requireFewMonths({ name, months }: DumpedTable): void {
  const count = months ? monthNumber(months[1]) - monthNumber(months[0]) + 1 : 1;
  if (count < 1 || count > maxMonths)
    throw new InvalidArchive(`its ${names.header} has an impossible table ${name}`);
}

function monthNumber(month: string): number {
  const [year, number] = month.split('-').map(Number);
  return Number(year) * 12 + Number(number);
}
