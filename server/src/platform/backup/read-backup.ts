import { json } from 'node:stream/consumers';
import { UserError } from '../user-error.ts';
import {
  type DumpedTable,
  formatName,
  formatVersion,
  type Header,
  type Manifest,
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
    const header = this.current?.name === names.header ? await this.#json<Header>() : undefined;
    if (header?.format !== formatName) throw new InvalidArchive('it is no backup of Motorpool');
    if (header.formatVersion !== formatVersion) {
      throw new UserError(
        `The backup was made by Motorpool ${header.program}, in a newer format: restore it with that one.`,
      );
    }
    for (const table of header.tables) requirePlausible(table);
    return header;
  }

  /** The last entry; the archive is read to its end. */
  async manifest(): Promise<Manifest> {
    if (this.current?.name !== names.manifest)
      throw new InvalidArchive(`it has the unknown entry ${this.current?.name}`);
    const manifest = await this.#json<Manifest>();
    if (this.current !== undefined) throw new InvalidArchive('it goes on after its end');
    return manifest;
  }

  async #json<Value>(): Promise<Value> {
    if (!this.current) throw new InvalidArchive('it ends too early');
    if (this.current.size > maxJsonBytes)
      throw new InvalidArchive(`its ${this.current.name} is too large`);
    const value = await (json(this.current.body) as Promise<Value>).catch((error) => {
      throw error instanceof SyntaxError ? new InvalidArchive(error.message) : error;
    });
    await this.advance();
    return value;
  }
}

/** Its names and months become part of statements, before the rows tell whether the backup is whole. */
function requirePlausible({ name, months }: DumpedTable): void {
  const count = months ? monthNumber(months[1]) - monthNumber(months[0]) + 1 : 1;
  if (!/^[a-z_0-9]+$/.test(name) || !(count >= 1 && count <= maxMonths))
    throw new InvalidArchive(`its header has an impossible table ${JSON.stringify(name)}`);
}

function monthNumber(month: string): number {
  const [, year, number] = /^(\d{4})-(\d{2})$/.exec(month) ?? [];
  return Number(year) * 12 + Number(number);
}
