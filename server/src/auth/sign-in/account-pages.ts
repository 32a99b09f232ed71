import { escapeHtml, page } from '../pages.ts';

type Account = { realm: string; username: string; error?: string | undefined };

type Enrolment = Account & {
  /** The secret, signed, which the form sends back. */
  enrolment: string;
  uri: string;
  text: string;
  /** The QR code as SVG. */
  image: string;
};

export function enrolmentPage({ enrolment, uri, text, image, ...account }: Enrolment): string {
  return page(
    'Second factor',
    `<h1>Add a second factor</h1>
${introduction(account)}
<ol>
<li>Scan this with an authenticator app, or <a href="${escapeHtml(uri)}">open it in the app</a> on this device.
<div class="qr" role="img" aria-label="QR code for the authenticator app">${image}</div>
Or type its key into the app: <code>${inGroups(text)}</code></li>
<li>Type the code that the app shows.</li>
</ol>
<form method="post" autocomplete="off">
<input type="hidden" name="enrolment" value="${escapeHtml(enrolment)}">
<label for="code">Code</label>
<input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" required autofocus${account.error ? ' aria-describedby="error"' : ''}>
<button>Turn on</button>
</form>`,
  );
}

export function recoveryCodesPage({ codes, ...account }: Account & { codes: string[] }): string {
  return page(
    'Recovery codes',
    `<h1>Your recovery codes</h1>
${introduction(account)}
<p>The second factor is on, and you are signed out everywhere else. Each of these codes signs you in once, if you lose your device. They are not shown again: print
them, or keep them in a password manager.</p>
<ul class="codes">
${codes.map((code) => `<li><code>${inGroups(code)}</code></li>`).join('\n')}
</ul>`,
  );
}

export function removalPage(account: Account): string {
  return page(
    'Second factor',
    `<h1>The second factor is on</h1>
${introduction(account)}
<p>To turn it off, type a code of your authenticator app or a recovery code.</p>
<form method="post" autocomplete="off">
<input type="hidden" name="removal" value="true">
<label for="code">Code</label>
<input id="code" name="code" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" required autofocus${account.error ? ' aria-describedby="error"' : ''}>
<button>Turn off</button>
</form>`,
  );
}

function introduction({ realm, username, error }: Account): string {
  return `<p>Motorpool, asset provider ${escapeHtml(realm)}, user ${escapeHtml(username)}</p>
${error ? `<p class="error" role="alert" id="error">${escapeHtml(error)}</p>` : ''}`;
}

/** In groups of four, which are easier to type. */
function inGroups(code: string): string {
  return (code.match(/.{1,4}/g) ?? []).join(' ');
}
