/** What is done now, and how much processor time it took, whatever else the machine does; its failure is thrown by `result`. */
export function timed<Result>(work: () => Result): { ms: number; result(): Result } {
  const begun = process.threadCpuUsage();
  const since = () => {
    const { user, system } = process.threadCpuUsage(begun);
    return (user + system) / 1_000;
  };
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
