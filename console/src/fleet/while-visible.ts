/** Runs a task whenever the page is shown, with a signal that ends it once the page is not. Returns what stops it for good. */
export function whileVisible(run: (hidden: AbortSignal) => void): () => void {
  let shown: AbortController | undefined;
  const hide = () => {
    shown?.abort();
    shown = undefined;
  };
  const update = () => {
    if (document.visibilityState === 'hidden') return hide();
    if (shown) return;
    shown = new AbortController();
    run(shown.signal);
  };
  document.addEventListener('visibilitychange', update);
  // A page in the back-forward cache is frozen, and would keep its connections.
  window.addEventListener('pagehide', hide);
  window.addEventListener('pageshow', update);
  update();
  return () => {
    document.removeEventListener('visibilitychange', update);
    window.removeEventListener('pagehide', hide);
    window.removeEventListener('pageshow', update);
    hide();
  };
}
