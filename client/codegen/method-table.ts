import { groups } from './operation-names.ts';

/** The groups of the client with their methods, for its README. */
export function methodTable(): string {
  const rows = Object.entries(groups).map(([group, { description, methods }]) => {
    const names = Object.keys(methods);
    if (methods.announceFile) names.push('addFile');
    const listed = names.map((name) => `\`${name}\``).join(', ');
    return `| \`fleet.${group}\` | ${listed} | ${description} |`;
  });
  return ['| group | methods | what it is about |', '| --- | --- | --- |', ...rows].join('\n');
}
