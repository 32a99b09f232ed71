import { Text } from '@mantine/core';
import type { ClientCredentials } from '@motorpool/client';
import { useConnection } from '../../../session/connection.tsx';
import { useTexts } from '../../../texts/texts-provider.tsx';
import { SecretDialog } from '../secret-dialog.tsx';

export type Issued = ClientCredentials;

type Props = { issued: Issued; until: string | undefined; onClose(): void };

/** The id and the new secret of a client, and the call that tries them. */
export function IssuedSecret({ issued, until, onClose }: Props) {
  const { settings, clients } = useTexts();
  const { settings: service, session } = useConnection();
  const { id, name, secret = '' } = issued;
  const token = `${service.issuer.replace('{realm}', session.provider)}/protocol/openid-connect/token`;
  const command = `curl ${token} -d grant_type=client_credentials -d client_id=${id} -d client_secret=${secret}`;
  return (
    <SecretDialog
      title={clients.secretTitle(name)}
      warning={settings.secretOnce}
      values={[
        { label: settings.clientId, value: id },
        { label: settings.clientSecret, value: secret },
        { label: clients.tryIt, value: command },
      ]}
      onClose={onClose}
    >
      {until && (
        <Text size="sm" c="dimmed">
          {until}
        </Text>
      )}
    </SecretDialog>
  );
}
