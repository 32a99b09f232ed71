import { createHash } from 'node:crypto';

/** The pages of the sign-in: no script, nothing from other origins. */

const style = `
:root { color-scheme: light dark; --ink: #16202b; --paper: #f3f5f8; --card: #fff; --line: #b6c0cc; --accent: #0b5cad; --bad: #a3161d; }
@media (prefers-color-scheme: dark) { :root { --ink: #e7edf4; --paper: #10161d; --card: #1a232d; --line: #4c5a69; --accent: #6fb2f5; --bad: #ff9a9a; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1rem; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
main { width: 100%; max-width: 24rem; padding: 2rem; background: var(--card); border: 1px solid var(--line); border-radius: .75rem; }
h1 { margin: 0 0 .25rem; font-size: 1.375rem; }
p { margin: 0 0 1.25rem; }
.error { color: var(--bad); border-left: .25rem solid var(--bad); padding-left: .75rem; }
label { display: block; margin-bottom: .25rem; font-weight: 600; }
input { width: 100%; margin-bottom: 1rem; padding: .625rem .75rem; font: inherit; color: inherit; background: transparent; border: 1px solid var(--line); border-radius: .375rem; }
button { width: 100%; margin-top: .5rem; padding: .6875rem; font: inherit; font-weight: 600; color: var(--card); background: var(--accent); border: 1px solid var(--accent); border-radius: .375rem; cursor: pointer; }
button.quiet { color: var(--accent); background: transparent; }
ol { margin: 0 0 1.25rem; padding-left: 1.25rem; }
li { margin-bottom: .5rem; }
a { color: var(--accent); }
code { font: 1rem/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
.qr { margin: .75rem 0; }
.qr svg { display: block; width: 100%; max-width: 15rem; margin: 0 auto; border-radius: .375rem; }
.codes { margin: 0; padding: 0; list-style: none; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
`;

/** No form-action: the response to the form redirects to the client's address. */
export const pagePolicy = [
  "default-src 'none'",
  // Allows no script; the library adds the hash of its own where it needs one.
  "script-src 'report-sample'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

export function loginPage(options: { realm: string; username: string; error?: string }): string {
  const { realm, username, error } = options;
  return page(
    'Sign in',
    `<h1>Sign in</h1>
<p>Motorpool, asset provider ${escapeHtml(realm)}</p>
${error ? `<p class="error" role="alert" id="error">${escapeHtml(error)}</p>` : ''}
<form method="post" autocomplete="on">
<label for="username">User name</label>
<input id="username" name="username" value="${escapeHtml(username)}" autocomplete="username" autocapitalize="none" spellcheck="false" required${username ? '' : ' autofocus'}${error ? ' aria-describedby="error"' : ''}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required${username ? ' autofocus' : ''}>
<button>Sign in</button>
</form>`,
  );
}

/** `passed` says, signed, whose password was right. */
export function codePage(options: { realm: string; passed: string; error?: string }): string {
  const { realm, passed, error } = options;
  return page(
    'Sign in',
    `<h1>Sign in</h1>
<p>Motorpool, asset provider ${escapeHtml(realm)}</p>
${error ? `<p class="error" role="alert" id="error">${escapeHtml(error)}</p>` : ''}
<p id="hint">Type the code that your authenticator app shows, or one of your recovery codes.</p>
<form method="post" autocomplete="on">
<input type="hidden" name="passed" value="${escapeHtml(passed)}">
<label for="code">Code</label>
<input id="code" name="code" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" required autofocus aria-describedby="${error ? 'error hint' : 'hint'}">
<button>Sign in</button>
</form>`,
  );
}

/** `form` is the library's hidden form, which the buttons submit. */
export function logoutPage(form: string): string {
  return page(
    'Sign out',
    `<h1>Sign out?</h1>
<p>You will be signed out of Motorpool in this browser. Close this page to stay signed in.</p>
${form}
<button form="op.logoutForm" name="logout" value="yes" autofocus>Sign out</button>`,
  );
}

export function signedOutPage(): string {
  return page('Signed out', '<h1>Signed out</h1><p>You can close this page.</p>');
}

export function errorPage(error: string, description: string | undefined): string {
  return page(
    'Sign-in failed',
    `<h1>That did not work</h1>
<p class="error" role="alert">${escapeHtml(description ?? error)}</p>
<p>Go back to the application that sent you here and start again.</p>`,
  );
}

export function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Motorpool</title>
<style>${style}</style>
</head>
<body>
<main>
${content}
</main>
</body>
</html>
`;
}

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
