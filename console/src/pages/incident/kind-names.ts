/** Words of a list are shown in the person's language and kept as the list has them; others stay as they were typed. */
export function shownKind(kind: string, names: Readonly<Record<string, string>>): string {
  return names[kind.toLowerCase()] ?? kind;
}

export function storedKind(shown: string, names: Readonly<Record<string, string>>): string {
  const typed = shown.trim();
  const known = Object.entries(names).find(
    ([, name]) => name.toLowerCase() === typed.toLowerCase(),
  );
  return known?.[0] ?? typed;
}
