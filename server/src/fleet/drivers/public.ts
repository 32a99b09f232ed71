export { customersAt } from './demo/drivers.ts';
