import { Command } from 'commander';
import { type EndedSignIns, replaceSignInKeys } from '../auth/replace-sign-in-keys.ts';
import { resealSecrets, sealClearSecrets, unsealSecrets } from '../auth/sealed-secrets.ts';
import { withDatabase } from './with-database.ts';

export function secretsCommand(): Command {
  const secrets = new Command('secrets').description(
    'private keys of realms and other secrets in the database, sealed under SECRETS_KEY',
  );
  secrets
    .command('seal')
    .description(
      'seal what the previous release left clear, once it runs nowhere; a job does it a day after the upgrade',
    )
    .action(async () => {
      const count = await withDatabase((db) => db.transaction(sealClearSecrets));
      process.stdout.write(`Sealed ${counted(count, 'secret')}.\n`);
    });
  secrets
    .command('rotate')
    .description('seal everything under the first key of SECRETS_KEY, so that the others can go')
    .option(
      '--now',
      'replace the keys of cookies and refresh tokens, too, and end all sign-ins, such as when a key was stolen',
    )
    .action(async ({ now = false }: { now?: boolean }) => {
      await withDatabase(async (db) => {
        // First: sealing takes long where much is kept, and does not help against whoever has the keys.
        if (now) process.stdout.write(describe(await replaceSignInKeys(db)));
        const count = await resealSecrets(db);
        process.stdout.write(
          `Sealed ${counted(count, 'secret')} under the key ${db.secrets.keyId}.\n`,
        );
        if (now) process.stdout.write(nextSteps);
      });
    });
  secrets
    .command('unseal')
    .description('store the secrets clear, to go back to the release before they were sealed')
    .action(async () => {
      const count = await withDatabase((db) => db.transaction(unsealSecrets));
      process.stdout.write(`Unsealed ${counted(count, 'secret')}.\n`);
    });
  return secrets;
}

function describe({ sessions, refreshTokens, recoveryCodes }: EndedSignIns): string {
  const ended = [
    counted(sessions, 'session'),
    counted(refreshTokens, 'refresh token'),
    counted(recoveryCodes, 'recovery code'),
  ];
  return `Replaced the keys of cookies and refresh tokens, and ended ${ended.join(', ')}.\n`;
}

const nextSteps =
  'Restart every process without the old key. Realms, clients, webhooks and second factors have secrets of their own to replace.\n';

function counted(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}
