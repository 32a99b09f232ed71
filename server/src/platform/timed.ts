/** What is done now, and how long it took; its failure is thrown by `result`. */
export function timed<Result>(work: () => Result): { ms: number; result(): Result } {
  const startedAt = performance.now();
  const since = () => performance.now() - startedAt;
  try {
    const done = work();
    return { ms: since(), result: () => done };
  } catch (error) {
    return {
      ms: since(),
      result() {
        throw error;
      },
    };
  }
}
