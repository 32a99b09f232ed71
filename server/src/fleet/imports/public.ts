export { inspectCsv } from './csv-file.ts';
export { quoteFormula, vehicleCsvColumns } from './vehicle-csv.ts';
export { importVehicles, type Report } from './vehicle-import.ts';
