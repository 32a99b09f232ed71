import type { Customer } from '@motorpool/client';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const noCustomer: Customer = {
  mobilityProviderCountryCode: '',
  mobilityProviderCode: '',
  customerId: '',
};

export const isNoCustomer = (customer: Customer): boolean =>
  Object.values(customer).every((part) => part === '');

export const isCustomerId = (text: string): boolean => uuid.test(text);

/** Whether something of a customer is missing or wrong. */
export const isIncomplete = (customer: Customer): boolean =>
  customer.mobilityProviderCountryCode.length !== 2 ||
  customer.mobilityProviderCode.length !== 3 ||
  !isCustomerId(customer.customerId);
