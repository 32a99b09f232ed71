-- Text in one order, and without regard to case, on every server: docs/decisions/0038-text.md.
create collation text_order (provider = icu, locale = 'und');

-- ASCII is most of it, and costs a fraction.
create function normalized_text(value text) returns text language sql immutable parallel safe
return case
  when octet_length(value) = length(value) then lower(value collate "C") collate text_order
  else normalize(lower(value collate text_order), NFC)
end;

create function folded_text(value text) returns text language sql immutable parallel safe
return case
  when octet_length(value) = length(value) then lower(value collate "C") collate text_order
  else translate(
    replace(replace(replace(replace(
      regexp_replace(normalize(lower(value collate text_order), NFD), e'[\u0300-\u036f]', '', 'g'),
      'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'),
    e'øłđðħıŧς\u00a0\u202f\u2010\u2011\u2012\u2013\u2014\u2015\u2212',
    'olddhitσ  -------')
end;

-- Plates and VINs are written with and without spaces and hyphens.
create function compact_text(value text) returns text language sql immutable parallel safe
return translate(folded_text(value), ' -', '');

-- Strict and costly, so that it is not inlined, and the planner takes its index, though it may take the table for empty.
create function vin_key(vin text) returns text language sql immutable strict parallel safe cost 1000000
return compact_text(vin);

-- The provider leads every trigram: the list of one is that of a provider's vehicles alone. The cost keeps the planner
-- from evaluating it for every row.
create function search_trigrams(provider text, search_text text) returns text[]
language sql immutable parallel safe cost 1000000
begin atomic
  select array_agg(provider || ' ' || trigram collate "C")
  from unnest(show_trgm(translate(folded_text(search_text), ' !"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', ''))) trigram
  where trigram not like '% %';
end;
