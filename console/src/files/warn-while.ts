let pending = 0;
const warn = (event: Event) => event.preventDefault();

/** Warns whoever closes the tab before the work has ended, also once the page that began it was left. */
export async function warnWhile<Result>(
  work: Promise<Result>,
  tab: EventTarget = window,
): Promise<Result> {
  pending += 1;
  // The same listener is added once.
  tab.addEventListener('beforeunload', warn);
  try {
    return await work;
  } finally {
    pending -= 1;
    if (pending === 0) tab.removeEventListener('beforeunload', warn);
  }
}
