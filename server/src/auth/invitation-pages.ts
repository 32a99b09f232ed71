import { createHash } from 'node:crypto';
import { escapeHtml, page, pagePolicy } from './pages.ts';

/** The pages behind the one-time link by which a person sets a password. */

// Moves the code from the fragment into the form. Without scripts, the person pastes it.
const script = `
const code = location.hash.slice(1);
if (code) {
  history.replaceState(null, '', location.pathname);
  const form = document.querySelector('form');
  form.elements.token.value = code;
  form.requestSubmit();
}
`;

const scriptHash = createHash('sha256').update(script).digest('base64');

export const invitationPolicy = pagePolicy.replace(
  /script-src [^;]+/,
  `script-src 'sha256-${scriptHash}'`,
);

export function invitationPage(realm: string): string {
  return page(
    'Set a password',
    `<h1>Set a password</h1>
<p>Motorpool, asset provider ${escapeHtml(realm)}</p>
<form method="post">
<label for="token">Code, the part of the link after #</label>
<input id="token" name="token" autocomplete="off" autocapitalize="none" spellcheck="false" required autofocus>
<button>Continue</button>
</form>
<script>${script}</script>`,
  );
}

export function newPasswordPage(options: {
  realm: string;
  username: string;
  token: string;
  error?: string;
}): string {
  const { realm, username, token, error } = options;
  return page(
    'Set a password',
    `<h1>Set a password</h1>
<p>Motorpool, asset provider ${escapeHtml(realm)}</p>
${error ? `<p class="error" role="alert" id="error">${escapeHtml(error)}</p>` : ''}
<form method="post">
<input type="hidden" name="token" value="${escapeHtml(token)}">
<label for="username">User name</label>
<input id="username" name="username" value="${escapeHtml(username)}" autocomplete="username" readonly>
<label for="password">New password</label>
<input id="password" name="password" type="password" autocomplete="new-password" required autofocus${error ? ' aria-describedby="error"' : ''}>
<label for="repeated">Once more</label>
<input id="repeated" name="repeated" type="password" autocomplete="new-password" required>
<button>Set the password</button>
</form>`,
  );
}

export function passwordSetPage(username: string, consoleUrl: string): string {
  return page(
    'Password set',
    `<h1>The password is set</h1>
<p>You can sign in as ${escapeHtml(username)} now: <a href="${escapeHtml(consoleUrl)}">open the console</a>.</p>`,
  );
}

export function invitationOverPage(): string {
  return page(
    'Link not valid',
    `<h1>This link is not valid</h1>
<p class="error" role="alert">It was used already, has expired, or was replaced by a newer one.</p>
<p>Ask an administrator for another one.</p>`,
  );
}

export function invitationBusyPage(): string {
  return page(
    'Busy',
    `<h1>The service is busy</h1>
<p class="error" role="alert">Open the link again in a few seconds.</p>`,
  );
}
