-- no-transaction
create index concurrently if not exists vehicles_by_trigrams on vehicles using gin (search_trigrams(provider, search_text));
