import Type, { type Static, type TObject } from 'typebox';
import { type Operation, operation, type ProviderRef } from '../http/operation.ts';
import type { PathParameter } from '../http/path-parameter.ts';
import type { Role } from '../http/principal.ts';
import type { Parsed } from '../http/request-part.ts';
import { type Field, fieldsByName } from './field.ts';
import { searchLimits } from './limits.ts';
import { PageRequestSchema, type pageResponse } from './page.ts';
import { type ParsedSearch, parseSearch } from './parse-search.ts';
import { type Filter, type Sorting, searchProperties } from './request-schema.ts';
import type { Searchable } from './searchable.ts';

type SearchBody = { filters?: Filter[]; sorting?: Sorting[] };

type Texts = { id: string; summary: string; description: string };

type ListAndSearch<Dependencies, Parameter extends string> = {
  /** `equals`: the fields that a parameter of the same name compares with. */
  list: Texts & { equals?: readonly string[] };
  search: Texts & { examples: Record<string, { summary: string; value: SearchBody }> };
  /** The path of the list; the search is below it. */
  path: string;
  tag: string;
  role: Role;
  parameters: Record<Parameter, PathParameter>;
  searchable: Searchable;
  page: ReturnType<typeof pageResponse>;
  notFound: string[];
  /** Returns the body of the page. */
  read(
    input: { provider: ProviderRef; parameters: Record<Parameter, string>; request: ParsedSearch },
    dependencies: Dependencies,
  ): Promise<object>;
};

/**
 * A list by GET with plain parameters, and its search by POST with filters and sorting, which read in the same way:
 * docs/decisions/0046-searches-and-lists.md.
 */
export function listAndSearch<Dependencies, Parameter extends string>(
  definition: ListAndSearch<Dependencies, Parameter>,
): [list: Operation<Dependencies>, search: Operation<Dependencies>] {
  const { list, search, path, tag, role, parameters, searchable, page, notFound, read } =
    definition;
  const { equals, ...listTexts } = list;
  const { examples, ...searchTexts } = search;
  const both = {
    tag,
    role,
    origin: 'motorpool',
    parameters,
    responses: { 200: page },
    notFound,
    workload: 'search',
  } as const;
  return [
    operation({
      ...both,
      ...listTexts,
      method: 'GET',
      path,
      query: plainQuery(searchable, equals),
      async handler({ provider, parameters, query: request }, dependencies: Dependencies) {
        return { status: 200, body: await read({ provider, parameters, request }, dependencies) };
      },
    }),
    operation({
      ...both,
      ...searchTexts,
      method: 'POST',
      path: `${path}/search`,
      body: { ...searchBody(search.id, searchable), required: false, examples },
      async handler({ provider, parameters, body: request }, dependencies: Dependencies) {
        return { status: 200, body: await read({ provider, parameters, request }, dependencies) };
      },
    }),
  ];
}

function searchBody(operationId: string, searchable: Searchable) {
  const schema = Type.Object(
    searchProperties(searchable.fields, searchable.textColumns !== undefined),
    { $id: requestName(operationId), additionalProperties: false },
  );
  return { schema, parse: (sent: Static<typeof schema>) => parseSearch(searchable, sent) };
}

function requestName(operationId: string): string {
  return `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Request`;
}

/** The page, and a parameter for each of the fields that must be equal to it. */
function plainQuery(searchable: Searchable, equals: readonly string[] = []) {
  const byName = fieldsByName(searchable.fields);
  const compared = equals.map((name) => {
    const field = byName.get(name);
    if (!field) throw new Error(`There is no field ${name}.`);
    return [name, Type.Optional(equalTo(field))] as const;
  });
  const schema: TObject = Type.Object(
    { ...PageRequestSchema.properties, ...Object.fromEntries(compared) },
    { additionalProperties: false },
  );
  const parse = (sent: Record<string, unknown>): Parsed<ParsedSearch> => {
    const { pageNumber, pageSize } = sent as Static<typeof PageRequestSchema>;
    const filters = equals
      .filter((field) => sent[field] !== undefined)
      .map((field) => ({ field, value: sent[field] }));
    return parseSearch(searchable, { filters, pagination: { pageNumber, pageSize } });
  };
  return { schema, parse };
}

function equalTo({ path, type, values }: Field) {
  const description = `Only those whose ${path} is this.`;
  if (values) return Type.Enum([...values], { type: 'string', description });
  if (type === 'boolean') return Type.Boolean({ description });
  if (type === 'text') return Type.String({ maxLength: searchLimits.valueLength, description });
  throw new Error(`A plain parameter cannot compare ${path}, which is of type ${type}.`);
}
