/** An element of a known namespace; its name has no prefix. */
export type XmlElement = {
  name: string;
  uri: string;
  attributes: Record<string, string>;
  children: XmlElement[];
  /** With its white space collapsed. */
  text: string;
  parent: XmlElement | undefined;
};

/** The elements at a path of names, such as `Party/PostalAddress`. */
export function elementsAt(element: XmlElement | undefined, path: string): XmlElement[] {
  let found = element ? [element] : [];
  for (const name of path.split('/')) {
    found = found.flatMap(({ children }) => children.filter((child) => child.name === name));
  }
  return found;
}

export function elementAt(element: XmlElement | undefined, path: string): XmlElement | undefined {
  return elementsAt(element, path)[0];
}

/** The text; undefined where there is none. */
export function textOf(element: XmlElement | undefined): string | undefined {
  return element?.text || undefined;
}

export function textAt(element: XmlElement | undefined, path: string): string | undefined {
  for (const found of elementsAt(element, path)) {
    const text = textOf(found);
    if (text !== undefined) return text;
  }
  return undefined;
}

export function textsAt(element: XmlElement | undefined, path: string): string[] {
  return elementsAt(element, path).flatMap((found) => textOf(found) ?? []);
}

/** How many elements it is with all that are in it. */
export function sizeOf({ children }: XmlElement): number {
  return children.reduce((sum, child) => sum + sizeOf(child), 1);
}

/** The place of an element as an XPath without prefixes: `/Invoice/InvoiceLine[2]`. */
export function pathOf(element: XmlElement): string {
  const { name, parent } = element;
  if (parent === undefined) return `/${name}`;
  let same = 0;
  let position = 0;
  for (const child of parent.children) {
    if (child.name === name) same++;
    if (child === element) position = same;
  }
  return `${pathOf(parent)}/${name}${same > 1 ? `[${position}]` : ''}`;
}
