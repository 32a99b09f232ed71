/** Words of a list are shown in the person's language and kept as the list has them; others stay as they were typed. */
export function shownKind(kind: string, names: Readonly<Record<string, string>>): string {
  const key = kind.toLowerCase();
  return (Object.hasOwn(names, key) ? names[key] : undefined) ?? kind;
}

export function storedKind(shown: string, names: Readonly<Record<string, string>>): string {
  const typed = shown.trim();
  const known = Object.entries(names).find(
    ([, name]) => name.toLowerCase() === typed.toLowerCase(),
  );
  return known?.[0] ?? typed;
}

/** The same kind in another language; what was typed stays. */
export function translatedKind(
  shown: string,
  from: Readonly<Record<string, string>>,
  to: Readonly<Record<string, string>>,
): string {
  const kind = storedKind(shown, from);
  return Object.hasOwn(from, kind) ? shownKind(kind, to) : shown;
}
