import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { migrationsFolder } from '../migrate.ts';
import { splitStatements } from './split-statements.ts';

test('a semicolon in a string, a name, a body or a comment ends no statement', () => {
  expect(
    splitStatements(`
      -- first; of two
      select ';', "a;b", $$;$$, $code$ $$;$$ $code$ /* ; */;
      create function f() returns int begin atomic select 1; select 2; end;
      -- nothing; more
    `),
  ).toEqual([
    `-- first; of two\n      select ';', "a;b", $$;$$, $code$ $$;$$ $code$ /* ; */`,
    'create function f() returns int begin atomic select 1; select 2; end',
  ]);
});

/** The last migration from before databases could be distributed, or that came with it. */
const lastUndistributed = 35;

test('a migration that creates a table of providers distributes it, and adds its foreign keys after that', () => {
  const files = readdirSync(migrationsFolder).filter((name) => /^\d+\.do\./.test(name));
  for (const name of files.filter((one) => Number.parseInt(one, 10) > lastUndistributed)) {
    for (const statement of splitStatements(readFileSync(join(migrationsFolder, name), 'utf8'))) {
      const [, table] =
        /create table (?:if not exists )?(\w+)[\s\S]*\bprovider\b/.exec(statement) ?? [];
      if (table === undefined) continue;
      expect(statement, `${name}: foreign keys come after distribute_table`).not.toMatch(
        /\breferences\b/,
      );
      const file = readFileSync(join(migrationsFolder, name), 'utf8');
      expect(file, name).toContain(`select distribute_table('${table}')`);
    }
  }
});
