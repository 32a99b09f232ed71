import type { Operation } from '../platform/http/operation.ts';
import type { Dependencies } from './dependencies.ts';
import { vehicleOperations } from './vehicles/index.ts';

/** Every operation of the fleet interface, in the order of the documentation. */
export const operations: readonly Operation<Dependencies>[] = [...vehicleOperations];
