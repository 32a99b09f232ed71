-- no-transaction
-- The key of a customer's own, among those of all records that name the customer.
create index concurrently if not exists audit_key_customers_own on audit_key_customers (provider, customer_country_code, customer_provider_code, customer_id, key_id) where is_of_customer;
