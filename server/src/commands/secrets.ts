import { Command } from 'commander';
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
      process.stdout.write(`Sealed ${counted(count)}.\n`);
    });
  secrets
    .command('rotate')
    .description('seal everything under the first key of SECRETS_KEY, so that the others can go')
    .action(async () => {
      const { count, keyId } = await withDatabase(async (db) => ({
        count: await resealSecrets(db),
        keyId: db.secrets.keyId,
      }));
      process.stdout.write(`Sealed ${counted(count)} under the key ${keyId}.\n`);
    });
  secrets
    .command('unseal')
    .description('store the secrets clear, to go back to the release before they were sealed')
    .action(async () => {
      const count = await withDatabase((db) => db.transaction(unsealSecrets));
      process.stdout.write(`Unsealed ${counted(count)}.\n`);
    });
  return secrets;
}

function counted(count: number): string {
  return count === 1 ? '1 secret' : `${count} secrets`;
}
