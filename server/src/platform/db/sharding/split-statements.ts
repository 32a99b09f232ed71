// Strings, quoted names, dollar-quoted bodies and comments, in which a semicolon ends nothing.
const opaque =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|\$([A-Za-z_]\w*)?\$[\s\S]*?\$\1\$|--[^\n]*|\/\*[\s\S]*?\*\/|begin\s+atomic\b[\s\S]*?\bend\b(?=\s*;)|;/gi;

/** The statements of a file: Citus sends the text to the workers, which take one at a time. */
export function splitStatements(sql: string): string[] {
  const statements: string[] = [];
  let from = 0;
  for (const { 0: text, index } of sql.matchAll(opaque)) {
    if (text !== ';') continue;
    statements.push(sql.slice(from, index));
    from = index + 1;
  }
  statements.push(sql.slice(from));
  return statements.map((one) => one.trim()).filter((one) => withoutComments(one) !== '');
}

function withoutComments(sql: string): string {
  return sql.replaceAll(/--[^\n]*|\/\*[\s\S]*?\*\//g, '').trim();
}
