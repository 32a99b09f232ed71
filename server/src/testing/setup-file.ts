import { vi } from 'vitest';
import { setHashingCostForTests } from '../auth/password-hash.ts';
import { cheapHashing } from './cheap-hashing.ts';

// Before every file, as those of a worker share the modules, and the clocks: what waits for one that was left stopped hangs.
setHashingCostForTests(cheapHashing);
vi.useRealTimers();
