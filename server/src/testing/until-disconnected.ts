/** Whether a request failed because its connection did, rather than by an answer. */
export function isDisconnected(error: unknown): boolean {
  const { code, name } = error as NodeJS.ErrnoException;
  return name !== 'AssertionError' && code !== undefined;
}

/** Repeats until the connection fails, as it does when the service is killed. */
export async function untilDisconnected(work: () => Promise<void>): Promise<void> {
  try {
    for (;;) await work();
  } catch (error) {
    if (!isDisconnected(error)) throw error;
  }
}
