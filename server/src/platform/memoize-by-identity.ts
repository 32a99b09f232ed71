/** Makes something of a value once, as long as the value lives. */
export function memoizeByIdentity<Given extends object, Made>(make: (given: Given) => Made) {
  const known = new WeakMap<Given, Made>();
  return (given: Given): Made => {
    const before = known.get(given);
    if (before !== undefined) return before;
    const made = make(given);
    known.set(given, made);
    return made;
  };
}
