import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { ErrorBoundary } from './feedback/error-boundary.tsx';
import { describeProblem } from './feedback/problem.tsx';
import { createQueries } from './fleet/queries.ts';
import { ProvidersPage } from './pages/providers/providers-page.tsx';
import { createConsoleRouter } from './router.tsx';
import { type Connection, ConnectionContext } from './session/connection.tsx';
import { UnknownRealm } from './session/sign-in.ts';
import type { Start } from './start.ts';
import type { Language } from './texts/languages.ts';
import type { Texts } from './texts/texts.ts';
import { TextsProvider, useTexts } from './texts/texts-provider.tsx';
import { styleNonce } from './theme/style-nonce.ts';
import { colorSchemeManager, cssVariables, theme } from './theme/theme.ts';

type Props = { start: Start; initial: { language: Language; texts: Texts } };

export function App({ start, initial }: Props) {
  return (
    <TextsProvider initial={initial}>
      <MantineProvider
        theme={theme}
        defaultColorScheme="auto"
        colorSchemeManager={colorSchemeManager}
        cssVariablesResolver={cssVariables}
        getStyleNonce={styleNonce}
      >
        <Notifications position="bottom-right" />
        <ErrorBoundary>
          {start.kind === 'signedIn' ? (
            <SignedIn connection={start.connection} />
          ) : start.kind === 'failed' ? (
            <SignInFailed error={start.error} version={start.settings.version} />
          ) : (
            <ProvidersPage version={start.settings.version} />
          )}
        </ErrorBoundary>
      </MantineProvider>
    </TextsProvider>
  );
}

function SignInFailed({ error, version }: { error: unknown; version: string }) {
  const texts = useTexts();
  const failure =
    error instanceof UnknownRealm
      ? texts.providers.unknown
      : error instanceof TypeError
        ? texts.feedback.unreachable
        : { ...describeProblem(error, texts), title: texts.providers.notSignedIn };
  return <ProvidersPage version={version} failure={failure} />;
}

function SignedIn({ connection }: { connection: Connection }) {
  const { session, fleet, live } = connection;
  const [router] = useState(() => createConsoleRouter(session.provider));
  const [queries] = useState(() => createQueries(() => void session.signInAgain()));
  useEffect(() => live.start(fleet, queries), [live, fleet, queries]);
  return (
    <ConnectionContext value={connection}>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </ConnectionContext>
  );
}
