import { Alert, Anchor, Button, Stack, Text, TextInput, Title } from '@mantine/core';
import { useState } from 'react';
import { Form } from '../../forms/form.tsx';
import { Icon } from '../../icons/icon.tsx';
import { parseProvider, rememberedProviders } from '../../session/settings.ts';
import { useTexts } from '../../texts/texts-provider.tsx';
import classes from './providers-page.module.css';

type Props = {
  version: string;
  /** Why nobody is signed in, if it was tried. */
  failure?: { title: string; advice: string } | undefined;
};

/** Where somebody begins whose address names no provider. */
export function ProvidersPage({ version, failure }: Props) {
  const { providers } = useTexts();
  const [remembered] = useState(rememberedProviders);
  const [typed, setTyped] = useState('');
  const [isRefused, setIsRefused] = useState(false);
  const open = () => {
    const provider = parseProvider(typed);
    if (provider) location.assign(`/console/${provider}`);
    else setIsRefused(true);
  };
  return (
    <main className={classes.page}>
      <Stack className={classes.card} gap="md">
        <img src="/console/icon.svg" alt="" width={40} height={40} />
        <div>
          <Title order={1}>{providers.title}</Title>
          <Text c="dimmed">{providers.advice}</Text>
        </div>
        {failure && (
          <Alert color="red" variant="light" title={failure.title} role="alert">
            {failure.advice}
          </Alert>
        )}
        {remembered.length > 0 && (
          <Stack gap={6} component="nav" aria-label={providers.remembered}>
            {remembered.map((provider) => (
              <Anchor
                key={provider}
                href={`/console/${provider}`}
                className={classes.provider}
                underline="never"
              >
                <Icon name="building-2" />
                <span>{provider}</span>
                <Icon name="chevron-right" className={classes.arrow} />
              </Anchor>
            ))}
          </Stack>
        )}
        <Form onSubmit={open} className={classes.form}>
          <TextInput
            label={providers.label}
            description={providers.help}
            placeholder={providers.example}
            value={typed}
            onChange={(event) => {
              setTyped(event.currentTarget.value);
              setIsRefused(false);
            }}
            error={isRefused && providers.refused}
            autoFocus={remembered.length === 0}
            autoCapitalize="characters"
            autoComplete="organization"
            spellCheck={false}
            size="sm"
          />
          <Button type="submit" size="sm">
            {providers.open}
          </Button>
        </Form>
        <Text size="xs" c="dimmed">
          {providers.version(version)}
        </Text>
      </Stack>
    </main>
  );
}
