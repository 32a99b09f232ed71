// The log and the queue keep all of them, and of many items all may fail.
const maxErrors = 10;

/**
 * Runs the work for one item after the other, also behind those for which it fails; the first of their errors are thrown at
 * the end.
 */
export async function runForEach<Item>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<unknown>,
  message: string,
): Promise<void> {
  const errors: unknown[] = [];
  for (const item of items) {
    try {
      await work(item);
    } catch (error) {
      if (errors.length < maxErrors) errors.push(error);
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, message);
}
