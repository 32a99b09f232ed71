export { demoCustomers } from './demo/drivers.ts';
