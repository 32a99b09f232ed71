-- The service's role does not own the tables, and only an owner may analyze them: so the function runs as its owner.
create function analyze_vehicles() returns void language plpgsql security definer set search_path = public, pg_temp as $$
begin
  analyze vehicles, vehicle_statuses;
end
$$;
