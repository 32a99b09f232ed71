/** The bounds of every search. */
export const searchLimits = {
  filters: 50,
  sorting: 10,
  fieldNameLength: 200,
  /** Of an array that a filter compares with. */
  values: 1_000,
  /** That all filters together compare with. */
  valuesOfAllFilters: 2_000,
  /** Of a text that a filter compares with. */
  valueLength: 1_000,
  searchTextLength: 200,
  pageSize: 1_000,
  /** Of a body: several times what the values of the longest search need, and quickly parsed. */
  bodyBytes: 131_072,
};

export const defaultPageSize = 100;
