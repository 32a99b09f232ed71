/** The form of a word that goes with a number, for languages that have two. */
export function plural(language: string) {
  const rules = new Intl.PluralRules(language);
  return (count: number, one: string, other: string) =>
    rules.select(count) === 'one' ? one : other;
}
