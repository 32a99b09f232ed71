import { decodedPath } from './request-target.ts';

/** Finds the methods of the path that a request target names; undefined where there are none. As in the router, literals precede parameters. */
export function createMethodLookup(
  methodsByPath: ReadonlyMap<string, readonly string[]>,
): (target: string) => readonly string[] | undefined {
  const templates = [...methodsByPath]
    .map(([path, methods]) => ({ segments: path.split('/'), methods, rank: rankOf(path) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1));
  return (target) => {
    const sent = decodedPath(target)?.split('/');
    return templates.find(({ segments }) => sent && matches(segments, sent))?.methods;
  };
}

/** Sorts a parameter behind every literal. */
function rankOf(path: string): string {
  return path.replaceAll(/\{\w+\}/g, '\uffff');
}

function matches(template: readonly string[], sent: readonly string[]): boolean {
  return (
    template.length === sent.length &&
    template.every((part, index) => part.startsWith('{') || part === sent[index])
  );
}
