import { ProblemError } from '@motorpool/client';

/** What somebody began with, and what they made of it. */
export type Change<Version, Draft> = { base: Version; draft: Draft };

/** Somebody else has saved first. */
export class SaveConflict<Version, Draft> extends Error {
  readonly base: Version;
  readonly mine: Draft;
  readonly theirs: Version;

  constructor({ base, draft }: Change<Version, Draft>, theirs: Version) {
    super('The record has changed');
    this.base = base;
    this.mine = draft;
    this.theirs = theirs;
  }
}

type Options<Version> = {
  /** Overwrites this version alone. */
  write(version: Version): Promise<Version>;
  read(): Promise<Version>;
  /** Whether two versions differ only in what nobody has to be asked about. */
  isSame(base: Version, theirs: Version): boolean;
};

/** Overwrites a record as long as nobody else has. */
export async function saveChange<Version, Draft>(
  change: Change<Version, Draft>,
  { write, read, isSame }: Options<Version>,
): Promise<Version> {
  try {
    return await write(change.base);
  } catch (error) {
    if (!(error instanceof ProblemError) || error.status !== 412) throw error;
    const theirs = await read();
    if (isSame(change.base, theirs)) return write(theirs);
    throw new SaveConflict(change, theirs);
  }
}
