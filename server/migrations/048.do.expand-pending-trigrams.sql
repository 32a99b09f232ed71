-- Every search reads all that is pending, of all providers: an import of one made the searches of all others slow.
alter index vehicles_by_trigrams set (gin_pending_list_limit = 64);
select gin_clean_pending_list('vehicles_by_trigrams');
