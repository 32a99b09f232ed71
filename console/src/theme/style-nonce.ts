/** By which the policy of the page lets styles in that are made while it runs. */
export function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
}

// Under this name the library finds it that keeps pages from scrolling behind a dialog.
Object.assign(globalThis, { __webpack_nonce__: styleNonce() });
