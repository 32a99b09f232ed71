/** The processes that tests start have the real cost. */
export const cheapHashing = { N: 16, r: 8, p: 1 };
