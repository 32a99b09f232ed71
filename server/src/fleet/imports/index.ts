import type { Module } from '../module.ts';
import { importVehiclesOperation } from './import-vehicles.ts';

/** Many records from a file. */
export const imports: Module = { name: 'imports', operations: [importVehiclesOperation] };
