import { setHashingCostForTests } from '../auth/password-hash.ts';

export const cheapHashing = { N: 16, r: 8, p: 1 };

// Before every file, as those of a worker share the modules. The processes that tests start have the real cost.
setHashingCostForTests(cheapHashing);
