import type { AnnouncedFile, ApplyChecklistTemplateResponse, Assignment, AttachedFile, AttachedFileRequest, AuditEvent, ChargingHistoryRequest, ChargingSession, ChargingSessionRequest, ChargingTotal, ChargingTotalsRequest, ChecklistEntry, ChecklistEntryRequest, ChecklistTemplate, ChecklistTemplateRequest, Client, ClientCredentials, CompleteMaintenanceRequest, CostRequest, CostTotal, CreateClientRequest, Customer, Databox, DataboxMessage, DataboxRequest, DecideSuggestionRequest, Driver, Erasure, EventPagination, FailedJob, FindAssignmentsRequest, FindAuditEventsRequest, FindChecklistEntriesRequest, FindChecklistTemplatesRequest, FindClientsRequest, FindDataboxesRequest, FindDriversRequest, FindEventsRequest, FindFailedJobsRequest, FindIncidentsRequest, FindInvoicesRequest, FindLogbookEntriesRequest, FindMaintenanceSchedulesRequest, FindSavedViewsRequest, FindSignInSessionsRequest, FindUserAccountsRequest, FindUsersRequest, FindVehicleIncidentsRequest, FindVehicleMaintenanceRequest, FindVehiclesRequest, FindWebhookDeliveriesRequest, FindWebhooksRequest, FleetEvent, FleetIncident, HistoryItem, ImportReport, Incident, IncidentOcr, IncidentRequest, Inspection, InspectionEstimationTriggered, InspectionRequest, InviteUserRequest, InvitedUserAccount, Invoice, InvoiceOcr, InvoiceRequest, ListPlannedMaintenanceRequest, ListPlannedMaintenanceResponse, LogbookEntry, LogbookEntryRequest, MaintenanceReport, MaintenanceReportRequest, MaintenanceSchedule, MaintenanceScheduleRequest, Profile, ProfileRequest, PutClientRequest, PutUserAccountRequest, PutVehicleStatusResponse, ReadChargingSession, ReadIncident, ReadVehicleStatus, ResetUserAccountRequest, RotateClientSecretRequest, SavedView, SavedViewRequest, SendDataboxMessagesResponse, SetOcrStatusRequest, SignInSession, StatusMessage, StreamedEvent, User, UserAccount, UserExport, UserOverview, Vehicle, VehicleAssetPatch, VehicleHistoryRequest, VehicleImage, VehicleRequest, VehicleTyres, Webhook, WebhookDelivery, WebhookRequest, WebhookTest, WebhookWithSecret } from './schemas.ts';
import { path, type CallOptions, type Content, type Transport } from '../transport.ts';
import type { SearchResults } from '../search-results.ts';

/** The provider's own profile. */
export class ProfileApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Read the profile of the asset provider.
   *
   * Returns what the asset provider says of itself and the defaults of its fleet. What it does not tell has a
   * default by its country, also while no profile was ever written.
   *
   * @param options.ifNoneMatch ETags of what the client has: 304 when it is one of them.
   */
  get(options: CallOptions & { ifNoneMatch?: string } = {}): Promise<Profile> {
    return this.#transport.json({ method: 'GET', path: path`/profile`, headers: { 'If-None-Match': options.ifNoneMatch } }, options);
  }

  /**
   * Overwrite the profile of the asset provider.
   *
   * What the body leaves out is cleared, and a default by the country of the asset provider stands in for it
   * where there is one. When the default class, the default usage or the time zone change, the inspections of
   * the fleet are estimated again within moments.
   *
   * @param options.ifMatch The ETag as it was read: 412 when it has changed since.
   */
  put(body: ProfileRequest, options: CallOptions & { ifMatch?: string } = {}): Promise<Profile> {
    return this.#transport.json({ method: 'PUT', path: path`/profile`, headers: { 'If-Match': options.ifMatch }, body }, options);
  }
}

/** The vehicles of the fleet, with their pictures. */
export class VehiclesApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Find vehicles of an asset provider.
   *
   * Returns the vehicles of the asset provider that match the text and all filters, sorted and in pages. Without
   * a body it returns the first 100 by id. The order is total, so that pages neither repeat nor lose a vehicle.
   * Besides the fields of the response, two can be filtered and sorted by. `updatedAt`: when asset or
   * information was last written. `status.staleSeconds`: the seconds since `lastUpdated`; for a vehicle without
   * any message it is greater than any number.
   */
  find(body?: FindVehiclesRequest, options: CallOptions = {}): SearchResults<Vehicle> {
    return this.#transport.search({ method: 'POST', path: path`/vehicles`, body, isSafe: true }, options);
  }

  /**
   * Read a vehicle.
   *
   * Returns one vehicle, in the shape of an item of the search. If-Match compares the state of asset and
   * information: telemetry does not change it.
   *
   * @param options.ifNoneMatch ETags of what the client has: 304 when it is one of them.
   */
  get(vehicleId: string, options: CallOptions & { ifNoneMatch?: string } = {}): Promise<Vehicle> {
    return this.#transport.json({ method: 'GET', path: path`/${vehicleId}`, headers: { 'If-None-Match': options.ifNoneMatch } }, options);
  }

  /**
   * Create or overwrite a vehicle.
   *
   * Stores the vehicle under the id of the path, which begins with the codes of the asset provider. What the
   * body leaves out is cleared; the status stays as it is. No two active vehicles have the same VIN. Within
   * moments its periodic inspection is estimated and its maintenance planned. If-Match compares the state of
   * asset and information: telemetry does not change it.
   *
   * @param options.ifMatch The ETag as it was read: 412 when it has changed since.
   * @param options.ifNoneMatch `*` to create alone: 412 when it exists.
   */
  put(vehicleId: string, body: VehicleRequest, options: CallOptions & { ifMatch?: string; ifNoneMatch?: string } = {}): Promise<Vehicle> {
    return this.#transport.json({ method: 'PUT', path: path`/${vehicleId}`, headers: { 'If-Match': options.ifMatch, 'If-None-Match': options.ifNoneMatch }, body }, options);
  }

  /**
   * Delete a vehicle.
   *
   * Deletes the vehicle and all that belongs to it. A second call answers 404.
   *
   * @param options.ifMatch The ETag as it was read: 412 when it has changed since.
   */
  delete(vehicleId: string, options: CallOptions & { ifMatch?: string } = {}): Promise<void> {
    return this.#transport.empty({ method: 'DELETE', path: path`/${vehicleId}`, headers: { 'If-Match': options.ifMatch } }, options);
  }

  /**
   * Activate or deactivate a vehicle.
   *
   * A vehicle that is deactivated keeps its records and its status. Its telemetry is rejected, its inspection is
   * not estimated, and its maintenance is not planned, until it is activated again. Both take effect on
   * estimates and plans within moments. The vehicle is answered as it is then; what is so already is left as it
   * is.
   *
   * @param options.ifMatch The ETag as it was read: 412 when it has changed since.
   */
  patchAsset(vehicleId: string, body: VehicleAssetPatch, options: CallOptions & { ifMatch?: string } = {}): Promise<Vehicle> {
    return this.#transport.json({ method: 'PATCH', path: path`/${vehicleId}/asset`, headers: { 'If-Match': options.ifMatch }, body, isKeyed: true }, options);
  }

  /**
   * Put the image of a vehicle.
   *
   * Takes a PNG, JPEG, WebP or AVIF of at most 20 MiB, recognised by its content, and keeps it upright, without
   * metadata such as the position, in WebP and AVIF, 320, 640, 1280 pixels wide and as a whole of at most 1920
   * by 1920 pixels. Of an animation, the first picture is kept. The image is there in all sizes when this
   * answers, and not at all when it does not. A second upload replaces the first as a whole. The `blobUuid` of
   * the asset names the image.
   *
   * @param options.ifMatch The ETag as it was read: 412 when it has changed since.
   * @param options.ifNoneMatch `*` to create alone: 412 when it exists.
   */
  putImage(vehicleId: string, content: Content, options: CallOptions & { ifMatch?: string; ifNoneMatch?: string } = {}): Promise<VehicleImage> {
    return this.#transport.json({ method: 'PUT', path: path`/${vehicleId}/image`, headers: { 'If-Match': options.ifMatch, 'If-None-Match': options.ifNoneMatch }, content }, options);
  }

  /**
   * Get the image of a vehicle.
   *
   * Answers the image that was put, as AVIF where Accept names it, and else as WebP. A vehicle without one is
   * shown by the `defaultImage` of its asset.
   *
   * @param options.width The width in pixels. An image that is narrower comes as it is; without a width, it
   * comes as a whole.
   * @param options.accept image/webp, image/avif or both, with the preferences of the client.
   * @param options.ifNoneMatch ETags that the client has: 304 when this is one of them.
   */
  getImage(vehicleId: string, options: CallOptions & { width?: 320 | 640 | 1280; accept?: string; ifNoneMatch?: string } = {}): Promise<Response> {
    return this.#transport.response({ method: 'GET', path: path`/${vehicleId}/image`, query: { width: options.width }, headers: { Accept: options.accept, 'If-None-Match': options.ifNoneMatch } }, options);
  }

  /**
   * Delete the image of a vehicle.
   *
   * Deletes the image in all sizes, its record and its bytes. A second call answers 404. The `defaultImage` of
   * the asset stays.
   *
   * @param options.ifMatch The ETag as it was read: 412 when it has changed since.
   */
  deleteImage(vehicleId: string, options: CallOptions & { ifMatch?: string } = {}): Promise<void> {
    return this.#transport.empty({ method: 'DELETE', path: path`/${vehicleId}/image`, headers: { 'If-Match': options.ifMatch } }, options);
  }

  /**
   * Import vehicles from a CSV file.
   *
   * Makes vehicles, or overwrites the fields that the header names, such as
   * `asset.id,information.vin,status.odometer`; all lines or none, unless faulty ones are skipped. The file is
   * in UTF-8, separated by comma, semicolon or tab. An empty cell clears the value of a vehicle that exists,
   * except for `asset.active` and `information.trackGeolocation`, which stay as they are. Where
   * `information.trackGeolocation` becomes false, the stored positions of the vehicle are erased. A signal that
   * was measured after the `status.lastUpdated` of its line stays as it is. A dry run tells every fault with its
   * line and column, and how many vehicles lose a stored value or their positions, and changes nothing.
   *
   * @param options.dryRun Whether to validate and report alone, without importing. `false` when left out.
   * @param options.skipFaulty Whether to import the valid lines although others are faulty. `false` when left
   * out.
   */
  import(content: Content, options: CallOptions & { dryRun?: boolean; skipFaulty?: boolean } = {}): Promise<ImportReport> {
    return this.#transport.json({ method: 'POST', path: path`/imports/vehicles`, query: { dryRun: options.dryRun, skipFaulty: options.skipFaulty }, content, isKeyed: true }, options);
  }
}

/** Views of the vehicles that people share. */
export class SavedViewsApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Find saved views of an asset provider.
   *
   * Returns the views that match all filters, in pages; by name unless another order is asked for. A filter
   * without a field looks for text in the name.
   */
  find(body?: FindSavedViewsRequest, options: CallOptions = {}): SearchResults<SavedView> {
    return this.#transport.search({ method: 'POST', path: path`/saved-views/search`, body, isSafe: true }, options);
  }

  /**
   * Save a view of the vehicles.
   *
   * Keeps what the vehicles are searched for and how they are shown under a name, for all people of the asset
   * provider.
   */
  create(body: SavedViewRequest, options: CallOptions = {}): Promise<SavedView> {
    return this.#transport.json({ method: 'POST', path: path`/saved-views`, body, isKeyed: true }, options);
  }

  /**
   * Read a saved view.
   *
   * Returns one view.
   *
   * @param options.ifNoneMatch ETags of what the client has: 304 when it is one of them.
   */
  get(viewId: string, options: CallOptions & { ifNoneMatch?: string } = {}): Promise<SavedView> {
    return this.#transport.json({ method: 'GET', path: path`/saved-views/${viewId}`, headers: { 'If-None-Match': options.ifNoneMatch } }, options);
  }

  /**
   * Overwrite a saved view.
   *
   * Replaces the name and all that the view shows, for everybody.
   *
   * @param options.ifMatch The ETag as it was read: 412 when it has changed since.
   */
  put(viewId: string, body: SavedViewRequest, options: CallOptions & { ifMatch?: string } = {}): Promise<SavedView> {
    return this.#transport.json({ method: 'PUT', path: path`/saved-views/${viewId}`, headers: { 'If-Match': options.ifMatch }, body }, options);
  }

  /**
   * Delete a saved view.
   *
   * Deletes the view for everybody. A second call answers 404.
   *
   * @param options.ifMatch The ETag as it was read: 412 when it has changed since.
   */
  delete(viewId: string, options: CallOptions & { ifMatch?: string } = {}): Promise<void> {
    return this.#transport.empty({ method: 'DELETE', path: path`/saved-views/${viewId}`, headers: { 'If-Match': options.ifMatch } }, options);
  }
}

/** What vehicles and their databoxes measure. */
export class TelemetryApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Send messages of many vehicles.
   *
   * Receives messages as a JSON array, or as JSON lines (`application/x-ndjson`), and returns the result of
   * each, in their order: `accepted` when one of its signals is the current one now, `stale` when newer values
   * of all of them were known (it is still added to the history), `duplicate` when it contained nothing new,
   * `rejected` when it is not stored, with the reason. A signal that cannot be true, such as a tyre of 240 bar,
   * is not stored, which `errors` says, and the rest of its message is. A message that is rejected does not
   * affect the others. All others are committed together before the response; a client that got no response
   * sends them again, and what had been received is a `duplicate`. Messages may come in any order: the result is
   * the same. See the status of one vehicle for how they are merged. A caller who may send and not read, of the
   * role `databox` alone, is told `accepted` of all that is not rejected, and nothing of doubts.
   */
  send(body: DataboxMessage[], options: CallOptions = {}): Promise<SendDataboxMessagesResponse> {
    return this.#transport.json({ method: 'POST', path: path`/databox/messages`, body, isKeyed: true }, options);
  }

  /**
   * Send the status of a vehicle.
   *
   * Receives what was measured at one time: any of the signals. Every signal has its own time, so a message that
   * comes late fills what is older or missing and never overwrites what is newer; of two values for the very
   * same time the greater stays. All but the booleans of doors, windows and lights, the range and the next
   * service is also added to the history. The result is `accepted` when one of its signals is the current one
   * now, `stale` when newer values of all of them were known, and `duplicate` when it contained nothing new. The
   * position of a vehicle whose `trackGeolocation` is false is not stored: the response names it in `ignored`. A
   * signal that cannot be true, such as a tyre of 240 bar or a position of 0/0, is not stored either, which
   * `errors` says, and the others are. An odometer that falls, or leaps by more than 300 km/h, is stored in the
   * history alone and named in `doubtful`: the status keeps the last one that is not in doubt, until a later
   * reading agrees. A caller who may send and not read, of the role `databox` alone, is told `accepted` of all
   * that is not rejected, and nothing of doubts.
   */
  putStatus(vehicleId: string, body: StatusMessage, options: CallOptions = {}): Promise<PutVehicleStatusResponse> {
    return this.#transport.json({ method: 'PUT', path: path`/${vehicleId}/status`, body }, options);
  }

  /**
   * Read the signals of a vehicle.
   *
   * Returns the newest known value of every signal, and when it was measured: each has its own time. A signal
   * that is not known is left out. Of the odometer it is the last reading that is not in doubt.
   */
  getStatus(vehicleId: string, options: CallOptions = {}): Promise<ReadVehicleStatus> {
    return this.#transport.json({ method: 'GET', path: path`/${vehicleId}/status` }, options);
  }

  /**
   * Read the history of a vehicle.
   *
   * Returns what was measured of the vehicle in a period, such as odometer, level and position, the oldest
   * first, in pages. A moment or an interval in which none of the fields was measured is left out.
   */
  history(vehicleId: string, body: VehicleHistoryRequest, options: CallOptions = {}): SearchResults<HistoryItem> {
    return this.#transport.search({ method: 'POST', path: path`/${vehicleId}/history`, body, isSafe: true }, options);
  }

  /**
   * Read the tyre pressures of a vehicle.
   *
   * Returns the newest known pressure of each tyre, and when it was measured: each has its own time. A tyre
   * whose pressure is not known is left out.
   */
  getTyres(vehicleId: string, options: CallOptions = {}): Promise<VehicleTyres> {
    return this.#transport.json({ method: 'GET', path: path`/${vehicleId}/tyres` }, options);
  }
}

/** The databoxes, and the vehicles they are installed in. */
export class DataboxesApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Find boxes that are paired.
   *
   * Returns the boxes of the asset provider that match all filters, in pages; by serial unless another order is
   * asked for. A filter without a field looks for text in the serial and in the id of the vehicle.
   */
  find(body?: FindDataboxesRequest, options: CallOptions = {}): SearchResults<Databox> {
    return this.#transport.search({ method: 'POST', path: path`/databoxes/search`, body, isSafe: true }, options);
  }

  /**
   * Read the pairing of a box.
   *
   * Returns the vehicle that the box is paired with.
   *
   * @param options.ifNoneMatch ETags of what the client has: 304 when it is one of them.
   */
  get(serial: string, options: CallOptions & { ifNoneMatch?: string } = {}): Promise<Databox> {
    return this.#transport.json({ method: 'GET', path: path`/databoxes/${serial}`, headers: { 'If-None-Match': options.ifNoneMatch } }, options);
  }

  /**
   * Pair a box with a vehicle.
   *
   * From now on the messages of the box are those of the vehicle. A box that was paired with another vehicle
   * changes over: what it measured before then and sends later is rejected, as it is of the other vehicle. A
   * vehicle has at most one box.
   *
   * @param options.ifMatch The ETag as it was read: 412 when it has changed since.
   * @param options.ifNoneMatch `*` to create alone: 412 when it exists.
   */
  put(serial: string, body: DataboxRequest, options: CallOptions & { ifMatch?: string; ifNoneMatch?: string } = {}): Promise<Databox> {
    return this.#transport.json({ method: 'PUT', path: path`/databoxes/${serial}`, headers: { 'If-Match': options.ifMatch, 'If-None-Match': options.ifNoneMatch }, body }, options);
  }

  /**
   * End the pairing of a box.
   *
   * The messages of the box are rejected from now on; what it sent before stays. A second call answers 404.
   *
   * @param options.ifMatch The ETag as it was read: 412 when it has changed since.
   */
  delete(serial: string, options: CallOptions & { ifMatch?: string } = {}): Promise<void> {
    return this.#transport.empty({ method: 'DELETE', path: path`/databoxes/${serial}`, headers: { 'If-Match': options.ifMatch } }, options);
  }
}

/** Charging sessions of a vehicle. */
export class ChargingApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Charging history of a vehicle.
   *
   * Returns the charging sessions of the vehicle that match all filters, in pages; without a body, the newest
   * 100. Sessions are detected in the telemetry of the vehicle, or recorded by a client; where both overlap, the
   * record is returned. A session that runs has no toDatetime and no toSoC. One ends when charging ends, and
   * when the vehicle is seen elsewhere; an interruption that is shorter than the gap of the service does not end
   * it. `sorting` is Motorpool’s own: without it the newest comes first. Besides the fields of the answer,
   * `energyBasis`, `source` and `updatedAt` of a session can be filtered and sorted by.
   */
  find(vehicleId: string, body?: ChargingHistoryRequest, options: CallOptions = {}): SearchResults<ChargingSession> {
    return this.#transport.search({ method: 'POST', path: path`/${vehicleId}/charging`, body, isSafe: true }, options);
  }

  /**
   * Sum up the energy that the fleet has charged.
   *
   * Returns how many charging sessions began and how much energy was charged in them, by month, day and vehicle,
   * in their order. Months and days are those of the time zone of the asset provider. Those without a session
   * are left out.
   */
  findTotals(body?: ChargingTotalsRequest, options: CallOptions = {}): SearchResults<ChargingTotal> {
    return this.#transport.search({ method: 'POST', path: path`/charging/totals`, body, isSafe: true }, options);
  }

  /**
   * Read a charging session.
   *
   * Returns one session of the vehicle, with what the history leaves out: on what the energy is based, where the
   * session comes from, and when it last changed. The times of a detected session are those of messages: the
   * more often a vehicle reports while it charges, the more exact they are. Late messages can still change it,
   * under the same id. One that is superseded by a recorded session is not found.
   *
   * @param options.ifNoneMatch ETags of what the client has: 304 when it is one of them.
   */
  get(vehicleId: string, sessionId: string, options: CallOptions & { ifNoneMatch?: string } = {}): Promise<ReadChargingSession> {
    return this.#transport.json({ method: 'GET', path: path`/${vehicleId}/charging/${sessionId}`, headers: { 'If-None-Match': options.ifNoneMatch } }, options);
  }

  /**
   * Record or overwrite a charging session.
   *
   * Stores what a charging station, a charge card or a person knows of a session, under an id of the client’s
   * choice. What the body leaves out is cleared. A session that was detected in the telemetry is not returned as
   * long as a recorded one overlaps it; one without toDatetime counts as a day for that. Under the id of a
   * detected session, the record takes its place.
   *
   * @param options.ifMatch The ETag as it was read: 412 when it has changed since.
   * @param options.ifNoneMatch `*` to create alone: 412 when it exists.
   */
  put(vehicleId: string, sessionId: string, body: ChargingSessionRequest, options: CallOptions & { ifMatch?: string; ifNoneMatch?: string } = {}): Promise<ReadChargingSession> {
    return this.#transport.json({ method: 'PUT', path: path`/${vehicleId}/charging/${sessionId}`, headers: { 'If-Match': options.ifMatch, 'If-None-Match': options.ifNoneMatch }, body }, options);
  }

  /**
   * Delete a recorded charging session.
   *
   * Deletes a session that was recorded; what was detected in the telemetry of that time is returned again. A
   * second call answers 404.
   *
   * @param options.ifMatch The ETag as it was read: 412 when it has changed since.
   */
  delete(vehicleId: string, sessionId: string, options: CallOptions & { ifMatch?: string } = {}): Promise<void> {
    return this.#transport.empty({ method: 'DELETE', path: path`/${vehicleId}/charging/${sessionId}`, headers: { 'If-Match': options.ifMatch } }, options);
  }
}

/** The periodical inspection of a vehicle. */
export class InspectionApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Read the estimate of the next vehicle inspection.
   *
   * Returns the estimated date with the rule that it follows, what it was made from and how sure it is; or why
   * there is none. The ETag names the state of what is recorded: a new estimate does not change it.
   *
   * @param options.ifNoneMatch ETags of what the client has: 304 when it is one of them.
   */
  get(vehicleId: string, options: CallOptions & { ifNoneMatch?: string } = {}): Promise<Inspection> {
    return this.#transport.json({ method: 'GET', path: path`/${vehicleId}/inspection`, headers: { 'If-None-Match': options.ifNoneMatch } }, options);
  }

  /**
   * Record a passed inspection, and what decides on the next one.
   *
   * Overwrites what is recorded: what the body leaves out is cleared, and its default stands in for it. The next
   * inspection is estimated and planned at once.
   *
   * @param options.ifMatch The ETag as it was read: 412 when it has changed since.
   */
  put(vehicleId: string, body: InspectionRequest, options: CallOptions & { ifMatch?: string } = {}): Promise<Inspection> {
    return this.#transport.json({ method: 'PUT', path: path`/${vehicleId}/inspection`, headers: { 'If-Match': options.ifMatch }, body }, options);
  }

  /**
   * Retrigger the vehicle inspection date estimation.
   *
   * Has the date of the next inspection estimated anew, soon after the answer. Repeats while an estimation waits
   * join it. There is no body.
   */
  retriggerEstimation(vehicleId: string, options: CallOptions = {}): Promise<InspectionEstimationTriggered> {
    return this.#transport.json({ method: 'PATCH', path: path`/${vehicleId}/inspection`, isKeyed: true }, options);
  }
}

/** Planned maintenance and reports of it. */
export class MaintenanceApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List planned maintenance reports of an asset provider.
   *
   * Returns what is planned for all vehicles of the asset provider, in pages: the soonest first, which is the
   * earlier of dueDate and forecastDate, and last what has neither. `items` is an object, report id to report,
   * in that order. Filters and sorting are Motorpool’s own; a filter without a field looks for text in the
   * title, the notes and the plate of the vehicle, with or without its spaces and hyphens.
   */
  findPlanned(body?: ListPlannedMaintenanceRequest, options: CallOptions = {}): Promise<ListPlannedMaintenanceResponse> {
    return this.#transport.json({ method: 'POST', path: path`/maintenance`, body }, options);
  }

  /**
   * Find what is planned for a vehicle.
   *
   * Returns the reports of the vehicle that match all filters, in pages; the soonest first unless another order
   * is asked for. A filter without a field looks for text in the title and the notes.
   */
  find(vehicleId: string, body?: FindVehicleMaintenanceRequest, options: CallOptions = {}): SearchResults<MaintenanceReport> {
    return this.#transport.search({ method: 'POST', path: path`/${vehicleId}/maintenance/search`, body, isSafe: true }, options);
  }

  /**
   * Plan maintenance for a vehicle.
   *
   * Adds a report to the plan. It is due on a day, at an odometer, or at whichever comes first. With an interval
   * it comes round again each time that it is done; where an interval is given and not when it is due, it is due
   * an interval after the last time, or, when no last time is given, an interval from today and from the
   * odometer as it is.
   */
  create(vehicleId: string, body: MaintenanceReportRequest, options: CallOptions = {}): Promise<MaintenanceReport> {
    return this.#transport.json({ method: 'POST', path: path`/${vehicleId}/maintenance`, body, isKeyed: true }, options);
  }

  /**
   * Read a maintenance report.
   *
   * Returns one report of the vehicle, also one that is done and has no next time; one that was deleted is not
   * found.
   *
   * @param options.ifNoneMatch ETags of what the client has: 304 when it is one of them.
   */
  get(vehicleId: string, reportId: string, options: CallOptions & { ifNoneMatch?: string } = {}): Promise<MaintenanceReport> {
    return this.#transport.json({ method: 'GET', path: path`/${vehicleId}/maintenance/${reportId}`, headers: { 'If-None-Match': options.ifNoneMatch } }, options);
  }

  /**
   * Overwrite a maintenance report.
   *
   * What the body leaves out is cleared; where an interval is given and not when it is due, that is computed as
   * for a new report. Some fields follow what the report comes from: of a schedule the title, the type and the
   * intervals; of the vehicle and of an inspection the type, the intervals and when it is due; of an inspection
   * also when the last one was passed. These may be left out or sent as they are, and stay.
   *
   * @param options.ifMatch The ETag as it was read: 412 when it has changed since.
   */
  put(vehicleId: string, reportId: string, body: MaintenanceReportRequest, options: CallOptions & { ifMatch?: string } = {}): Promise<MaintenanceReport> {
    return this.#transport.json({ method: 'PUT', path: path`/${vehicleId}/maintenance/${reportId}`, headers: { 'If-Match': options.ifMatch }, body }, options);
  }

  /**
   * Delete a maintenance report.
   *
   * Takes the report out of the plan. A second call answers 404. What comes from a schedule does not come back
   * for this vehicle; what comes from the vehicle itself or from an estimated inspection comes back when it is
   * due at another time.
   *
   * @param options.ifMatch The ETag as it was read: 412 when it has changed since.
   */
  delete(vehicleId: string, reportId: string, options: CallOptions & { ifMatch?: string } = {}): Promise<void> {
    return this.#transport.empty({ method: 'DELETE', path: path`/${vehicleId}/maintenance/${reportId}`, headers: { 'If-Match': options.ifMatch } }, options);
  }

  /**
   * Say that maintenance was done.
   *
   * What has an interval is rolled on: it is due again an interval after the day and the odometer at which it
   * was done. What has none leaves the plan. The vehicle’s own service leaves it until the vehicle tells of
   * another one. If it has told of the next one already, the service before is meant: with any date while the
   * next is neither due soon nor overdue, later with one on or before the day on which it told of it. The report
   * then stays, due as the vehicle says; and so it does when a date is said again, or an earlier one. Of a
   * periodic inspection, the day is recorded as the last that was passed, and the next is estimated. Notes
   * replace those of the report. An entry of the category `service` is written into the logbook, with the cost,
   * the odometer and the files, and a link to the report; said again of the same day, it is the same entry. A
   * date before that of the last time writes the entry alone: the report and the inspection stay as they are,
   * and are corrected by overwriting them.
   *
   * @param options.ifMatch The ETag as it was read: 412 when it has changed since.
   */
  complete(vehicleId: string, reportId: string, body?: CompleteMaintenanceRequest, options: CallOptions & { ifMatch?: string } = {}): Promise<MaintenanceReport | undefined> {
    return this.#transport.json({ method: 'POST', path: path`/${vehicleId}/maintenance/${reportId}/done`, headers: { 'If-Match': options.ifMatch }, body, isKeyed: true }, options);
  }
}

/** The schedules by which maintenance is planned. */
export class MaintenanceSchedulesApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Find maintenance schedules of an asset provider.
   *
   * Returns the schedules of the asset provider that match all filters, in pages; by title unless another order
   * is asked for. A filter without a field looks for text in the title and the notes.
   */
  find(body?: FindMaintenanceSchedulesRequest, options: CallOptions = {}): SearchResults<MaintenanceSchedule> {
    return this.#transport.search({ method: 'POST', path: path`/maintenance-schedules/search`, body, isSafe: true }, options);
  }

  /**
   * Make a maintenance schedule.
   *
   * Plans something for all vehicles in service, or for those of a make or a model, those included that come
   * later. Each gets a report within moments: due by months on an anniversary of its first registration, the
   * first that is not past, or in the next of the months of the calendar that it names, and by distance at the
   * next multiple above its odometer.
   */
  create(body: MaintenanceScheduleRequest, options: CallOptions = {}): Promise<MaintenanceSchedule> {
    return this.#transport.json({ method: 'POST', path: path`/maintenance-schedules`, body, isKeyed: true }, options);
  }

  /**
   * Read a maintenance schedule.
   *
   * Returns one schedule.
   *
   * @param options.ifNoneMatch ETags of what the client has: 304 when it is one of them.
   */
  get(scheduleId: string, options: CallOptions & { ifNoneMatch?: string } = {}): Promise<MaintenanceSchedule> {
    return this.#transport.json({ method: 'GET', path: path`/maintenance-schedules/${scheduleId}`, headers: { 'If-None-Match': options.ifNoneMatch } }, options);
  }

  /**
   * Overwrite a maintenance schedule.
   *
   * What the body leaves out is cleared. Within moments its reports take over the title, the type and the
   * intervals; by another interval they are due anew, from the last time that they were done. Vehicles that it
   * is no longer for lose theirs, and have them back as they were when it is for them again. Notes are those of
   * new reports.
   *
   * @param options.ifMatch The ETag as it was read: 412 when it has changed since.
   */
  put(scheduleId: string, body: MaintenanceScheduleRequest, options: CallOptions & { ifMatch?: string } = {}): Promise<MaintenanceSchedule> {
    return this.#transport.json({ method: 'PUT', path: path`/maintenance-schedules/${scheduleId}`, headers: { 'If-Match': options.ifMatch }, body }, options);
  }

  /**
   * Delete a maintenance schedule.
   *
   * Deletes the schedule and its reports. A second call answers 404.
   *
   * @param options.ifMatch The ETag as it was read: 412 when it has changed since.
   */
  delete(scheduleId: string, options: CallOptions & { ifMatch?: string } = {}): Promise<void> {
    return this.#transport.empty({ method: 'DELETE', path: path`/maintenance-schedules/${scheduleId}`, headers: { 'If-Match': options.ifMatch } }, options);
  }
}

/** Who may drive a vehicle, and who drove it when. */
export class DriversApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Find drivers of a vehicle.
   *
   * Returns the drivers of the vehicle that match all filters, in pages; who was added first comes first unless
   * another order is asked for. customerId decides between equals. `updatedAt`, by which every search can filter
   * and sort, is addedAt.
   */
  find(vehicleId: string, body?: FindDriversRequest, options: CallOptions = {}): SearchResults<Driver> {
    return this.#transport.search({ method: 'POST', path: path`/${vehicleId}/drivers/search`, body, isSafe: true }, options);
  }

  /**
   * Add a user as a driver of a vehicle.
   *
   * Adds the customer to the drivers of the vehicle. One who is a driver already stays one, and is answered as
   * first added: it is safe to send the same again, and from several machines at once.
   *
   * @param options.ifNoneMatch `*` to add the driver alone: 412 when the customer is one.
   */
  add(vehicleId: string, body: Customer, options: CallOptions & { ifNoneMatch?: string } = {}): Promise<Driver> {
    return this.#transport.json({ method: 'PUT', path: path`/${vehicleId}/drivers`, headers: { 'If-None-Match': options.ifNoneMatch }, body }, options);
  }

  /**
   * Remove a driver of a vehicle.
   *
   * Removes the customer from the drivers of the vehicle, which closes the assignment. A second call answers
   * 404. Who is added again is a new driver.
   */
  remove(vehicleId: string, mobilityProviderCountryCode: string, mobilityProviderCode: string, customerId: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.empty({ method: 'DELETE', path: path`/${vehicleId}/drivers/${mobilityProviderCountryCode}/${mobilityProviderCode}/${customerId}` }, options);
  }

  /**
   * Find who drove a vehicle, and when.
   *
   * Returns the periods in which customers were drivers of the vehicle that match all filters, in pages; who was
   * added last comes first unless another order is asked for. Adding a driver opens one, and removing the driver
   * closes it. `at` keeps those who were drivers at a moment, such as that of a fine or a damage. An assignment
   * whose customer was erased has no customer. `updatedAt`, when the customer was added or removed last, can be
   * filtered and sorted by as well.
   */
  findAssignments(vehicleId: string, body?: FindAssignmentsRequest, options: CallOptions = {}): SearchResults<Assignment> {
    return this.#transport.search({ method: 'POST', path: path`/${vehicleId}/assignments`, body, isSafe: true }, options);
  }
}

/** The customers who use vehicles. */
export class UsersApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Find who drives what.
   *
   * Returns the customers who drive at least one vehicle of the asset provider and match all filters, each with
   * all the vehicles they drive, sorted and in pages. A filter on a field of vehicles asks whether any of them
   * fits. Without a body it returns the first 100 by country code, provider code and id of the customer.
   */
  find(body?: FindUsersRequest, options: CallOptions = {}): SearchResults<User> {
    return this.#transport.search({ method: 'POST', path: path`/users`, body, isSafe: true }, options);
  }

  /**
   * Get what concerns a customer.
   *
   * Returns the vehicles that the customer drives and has driven, with dates, and the incidents, logbook entries
   * and checklist entries that name the customer: of each the newest 25, and how many there are.
   */
  get(mobilityProviderCountryCode: string, mobilityProviderCode: string, customerId: string, options: CallOptions = {}): Promise<UserOverview> {
    return this.#transport.json({ method: 'GET', path: path`/users/${mobilityProviderCountryCode}/${mobilityProviderCode}/${customerId}` }, options);
  }

  /**
   * Export all that is kept of a customer.
   *
   * Returns all records that name the customer as one document (GDPR, article 15), as of one moment. The audit
   * trail records that it was read; the trail itself, which repeats what the records have and had, is not part
   * of it. Files are named, and read by their own operations.
   */
  export(mobilityProviderCountryCode: string, mobilityProviderCode: string, customerId: string, options: CallOptions = {}): Promise<UserExport> {
    return this.#transport.json({ method: 'GET', path: path`/users/${mobilityProviderCountryCode}/${mobilityProviderCode}/${customerId}/export` }, options);
  }

  /**
   * Erase a customer.
   *
   * Erases the customer from all records (GDPR, article 17), soon after the answer. The history of the vehicles
   * stays without the person: drivers are removed and assignments have no customer; incidents, logbook and
   * checklist entries lose the reference, all texts that may describe a person, and the names of their files;
   * what the audit trail says of the customer becomes unreadable. Dates, odometers, costs, categories and
   * damages stay, and so do the contents of files. Where the profile says `erasePositionsWithCustomer`, the
   * positions of vehicles while the customer was one of their drivers are erased, too. Calls while an erasure is
   * pending join it; once nothing is kept of the customer, the answer is 404.
   */
  erase(mobilityProviderCountryCode: string, mobilityProviderCode: string, customerId: string, options: CallOptions = {}): Promise<Erasure> {
    return this.#transport.json({ method: 'DELETE', path: path`/users/${mobilityProviderCountryCode}/${mobilityProviderCode}/${customerId}` }, options);
  }

  /**
   * Get how far an erasure is.
   *
   * Returns the erasure of a customer, whom it no longer names.
   */
  getErasure(erasureId: string, options: CallOptions = {}): Promise<Erasure> {
    return this.#transport.json({ method: 'GET', path: path`/users/erasures/${erasureId}` }, options);
  }
}

/** Incidents with their damages, files and recognised documents. */
export class IncidentsApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Find incidents of an asset provider.
   *
   * Returns the incidents of all vehicles that match the text and all filters, sorted and in pages; without a
   * body, the 100 that were reported last. A filter on a field of damages or blobs asks whether any of them
   * fits, each filter for itself: two filters can be met by two damages. `updatedAt`, when the incident last
   * changed, can be filtered and sorted by as well.
   */
  findInFleet(body?: FindIncidentsRequest, options: CallOptions = {}): SearchResults<FleetIncident> {
    return this.#transport.search({ method: 'POST', path: path`/incidents`, body, isSafe: true }, options);
  }

  /**
   * Find incidents of a vehicle.
   *
   * Returns the incidents of the vehicle that match all filters, in pages; the newest report first unless
   * another order is asked for. A filter on a field of damages or blobs asks whether any of them fits, each
   * filter for itself. `updatedAt`, when the incident last changed, can be filtered and sorted by as well.
   */
  find(vehicleId: string, body?: FindVehicleIncidentsRequest, options: CallOptions = {}): SearchResults<Incident> {
    return this.#transport.search({ method: 'POST', path: path`/${vehicleId}/incidents/search`, body, isSafe: true }, options);
  }

  /**
   * Report an incident of a vehicle.
   *
   * Adds an incident that is reported now, with the OCR status NOT_STARTED. Its files are announced and uploaded
   * afterwards.
   */
  create(vehicleId: string, body: IncidentRequest, options: CallOptions = {}): Promise<Incident> {
    return this.#transport.json({ method: 'POST', path: path`/${vehicleId}/incidents`, body, isKeyed: true }, options);
  }

  /**
   * Read an incident.
   *
   * Returns one incident, and which unrepaired damages it may repeat.
   *
   * @param options.ifNoneMatch ETags of what the client has: 304 when it is one of them.
   */
  get(vehicleId: string, incidentId: string, options: CallOptions & { ifNoneMatch?: string } = {}): Promise<ReadIncident> {
    return this.#transport.json({ method: 'GET', path: path`/${vehicleId}/incidents/${incidentId}`, headers: { 'If-None-Match': options.ifNoneMatch } }, options);
  }

  /**
   * Overwrite an incident of a vehicle.
   *
   * Overwrites the incident with the body: an optional field that is left out is cleared, the damages included.
   * The OCR status, the report’s time and the files stay as they are.
   *
   * @param options.ifMatch The ETag as it was read: 412 when it has changed since.
   */
  update(vehicleId: string, incidentId: string, body: IncidentRequest, options: CallOptions & { ifMatch?: string } = {}): Promise<Incident> {
    return this.#transport.json({ method: 'PUT', path: path`/${vehicleId}/incidents/${incidentId}`, headers: { 'If-Match': options.ifMatch }, body }, options);
  }

  /**
   * Delete an incident.
   *
   * Deletes the incident, its damages and its files. A second call answers 404.
   *
   * @param options.ifMatch The ETag as it was read: 412 when it has changed since.
   */
  delete(vehicleId: string, incidentId: string, options: CallOptions & { ifMatch?: string } = {}): Promise<void> {
    return this.#transport.empty({ method: 'DELETE', path: path`/${vehicleId}/incidents/${incidentId}`, headers: { 'If-Match': options.ifMatch } }, options);
  }

  /**
   * Read what was recognised in the documents of an incident.
   *
   * Returns the status and, for each uploaded file, its text and what it suggests for the incident, with the
   * confidence and the place on the page. Uploading a file starts the recognition. A suggestion changes nothing
   * until a person takes it (decideSuggestion).
   */
  getOcr(vehicleId: string, incidentId: string, options: CallOptions = {}): Promise<IncidentOcr> {
    return this.#transport.json({ method: 'GET', path: path`/${vehicleId}/incidents/${incidentId}/ocr` }, options);
  }

  /**
   * Set the OCR status of an incident.
   *
   * MANUAL says that a person has typed the data in: a result that comes later is discarded, and documents that
   * are uploaded later are not read. PROCESSING asks to read all uploaded documents again. Both are possible
   * from every status; saying MANUAL again changes nothing. getIncidentOcr has the result.
   *
   * @param options.ifMatch The ETag as it was read: 412 when it has changed since.
   */
  setOcrStatus(vehicleId: string, incidentId: string, body: SetOcrStatusRequest, options: CallOptions & { ifMatch?: string } = {}): Promise<Incident> {
    return this.#transport.json({ method: 'POST', path: path`/${vehicleId}/incidents/${incidentId}/ocr`, headers: { 'If-Match': options.ifMatch }, body, isKeyed: true }, options);
  }

  /**
   * Take or leave a suggestion of a document.
   *
   * take fills the field of the incident, which must be empty: nothing that a person has typed is overwritten.
   * What the incident has no field for (licensePlate, driver, opponent) becomes a line of its notes. Deciding
   * the same again changes nothing; what was left can be taken later.
   *
   * @param options.ifMatch The ETag as it was read: 412 when it has changed since.
   */
  decideSuggestion(vehicleId: string, incidentId: string, blobUuid: string, field: string, body: DecideSuggestionRequest, options: CallOptions & { ifMatch?: string } = {}): Promise<Incident> {
    return this.#transport.json({ method: 'POST', path: path`/${vehicleId}/incidents/${incidentId}/ocr/${blobUuid}/${field}`, headers: { 'If-Match': options.ifMatch }, body, isKeyed: true }, options);
  }

  /**
   * Announce a file of an incident.
   *
   * The first of two steps: the file gets its UUID and is listed among the blobs of the incident, not uploaded
   * yet. The second is uploadIncidentFile.
   */
  announceFile(vehicleId: string, incidentId: string, body: AttachedFileRequest, options: CallOptions = {}): Promise<AttachedFile> {
    return this.#transport.json({ method: 'POST', path: path`/${vehicleId}/blobs/incidents/${incidentId}`, body, isKeyed: true }, options);
  }

  /**
   * Put the bytes of an announced file.
   *
   * Takes the body as it comes, of any type: the type that the file has is the announced one. The file is
   * uploaded when this answers, and not at all when it does not. A second upload replaces the first as a whole.
   */
  uploadFile(vehicleId: string, incidentId: string, blobUuid: string, content: Content, options: CallOptions = {}): Promise<AttachedFile> {
    return this.#transport.json({ method: 'PUT', path: path`/${vehicleId}/blobs/incidents/${incidentId}/${blobUuid}`, content }, options);
  }

  /**
   * Get the bytes of a file.
   *
   * Answers the bytes under the announced type, as an attachment that no browser runs. A file that is announced
   * and not uploaded is not found.
   *
   * @param options.range One range of bytes, such as bytes=0-99. Several at once are answered with the whole.
   * @param options.ifRange The ETag of the file that the range is meant for; the whole when it is another.
   * @param options.ifNoneMatch ETags that the client has: 304 when this is one of them.
   */
  downloadFile(vehicleId: string, incidentId: string, blobUuid: string, options: CallOptions & { range?: string; ifRange?: string; ifNoneMatch?: string } = {}): Promise<Response> {
    return this.#transport.response({ method: 'GET', path: path`/${vehicleId}/blobs/incidents/${incidentId}/${blobUuid}`, headers: { Range: options.range, 'If-Range': options.ifRange, 'If-None-Match': options.ifNoneMatch } }, options);
  }

  /**
   * Remove a file (BLOB) from an incident of a vehicle.
   *
   * Deletes the file, its record and its bytes, whether it was uploaded or only announced. A second call answers
   * 404.
   */
  removeFile(vehicleId: string, incidentId: string, blobUuid: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.empty({ method: 'DELETE', path: path`/${vehicleId}/blobs/incidents/${incidentId}/${blobUuid}` }, options);
  }


  /** Announces a file and uploads its content. */
  async addFile(vehicleId: string, incidentId: string, file: AnnouncedFile, content: Content, options: CallOptions = {}) {
    const { uuid } = await this.announceFile(vehicleId, incidentId, file, options);
    return this.uploadFile(vehicleId, incidentId, uuid, content, options);
  }
}

/** The logbook of a vehicle, with its files. */
export class LogbookApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Find logbook entries of a vehicle.
   *
   * Returns the entries of the vehicle that match all filters, in pages; the newest date first unless another
   * order is asked for. A filter on tags or on a field of blobs asks whether any of them fits. A filter without
   * a field looks for text in the title and the description.
   */
  find(vehicleId: string, body?: FindLogbookEntriesRequest, options: CallOptions = {}): SearchResults<LogbookEntry> {
    return this.#transport.search({ method: 'POST', path: path`/${vehicleId}/logbook/search`, body, isSafe: true }, options);
  }

  /**
   * Write an entry into the logbook of a vehicle.
   *
   * Adds an entry. Its files are announced and uploaded afterwards. An odometer that does not fit the other
   * entries is kept as it was sent: entries are also written late.
   */
  create(vehicleId: string, body: LogbookEntryRequest, options: CallOptions = {}): Promise<LogbookEntry> {
    return this.#transport.json({ method: 'POST', path: path`/${vehicleId}/logbook`, body, isKeyed: true }, options);
  }

  /**
   * Read a logbook entry.
   *
   * Returns one entry of the vehicle, with its files.
   *
   * @param options.ifNoneMatch ETags of what the client has: 304 when it is one of them.
   */
  get(vehicleId: string, logbookEntryId: string, options: CallOptions & { ifNoneMatch?: string } = {}): Promise<LogbookEntry> {
    return this.#transport.json({ method: 'GET', path: path`/${vehicleId}/logbook/${logbookEntryId}`, headers: { 'If-None-Match': options.ifNoneMatch } }, options);
  }

  /**
   * Overwrite a logbook entry.
   *
   * What the body leaves out is cleared; the files of the entry stay.
   *
   * @param options.ifMatch The ETag as it was read: 412 when it has changed since.
   */
  put(vehicleId: string, logbookEntryId: string, body: LogbookEntryRequest, options: CallOptions & { ifMatch?: string } = {}): Promise<LogbookEntry> {
    return this.#transport.json({ method: 'PUT', path: path`/${vehicleId}/logbook/${logbookEntryId}`, headers: { 'If-Match': options.ifMatch }, body }, options);
  }

  /**
   * Delete a logbook entry.
   *
   * Deletes the entry and its files. A second call answers 404.
   *
   * @param options.ifMatch The ETag as it was read: 412 when it has changed since.
   */
  delete(vehicleId: string, logbookEntryId: string, options: CallOptions & { ifMatch?: string } = {}): Promise<void> {
    return this.#transport.empty({ method: 'DELETE', path: path`/${vehicleId}/logbook/${logbookEntryId}`, headers: { 'If-Match': options.ifMatch } }, options);
  }

  /**
   * Announce a file of a logbook entry.
   *
   * The first of two steps: the file gets its UUID and is listed among the blobs of the logbook entry, not
   * uploaded yet. The second is uploadLogbookFile.
   */
  announceFile(vehicleId: string, logbookEntryId: string, body: AttachedFileRequest, options: CallOptions = {}): Promise<AttachedFile> {
    return this.#transport.json({ method: 'POST', path: path`/${vehicleId}/blobs/logbook/${logbookEntryId}`, body, isKeyed: true }, options);
  }

  /**
   * Put the bytes of an announced file.
   *
   * Takes the body as it comes, of any type: the type that the file has is the announced one. The file is
   * uploaded when this answers, and not at all when it does not. A second upload replaces the first as a whole.
   */
  uploadFile(vehicleId: string, logbookEntryId: string, blobUuid: string, content: Content, options: CallOptions = {}): Promise<AttachedFile> {
    return this.#transport.json({ method: 'PUT', path: path`/${vehicleId}/blobs/logbook/${logbookEntryId}/${blobUuid}`, content }, options);
  }

  /**
   * Get the bytes of a file.
   *
   * Answers the bytes under the announced type, as an attachment that no browser runs. A file that is announced
   * and not uploaded is not found.
   *
   * @param options.range One range of bytes, such as bytes=0-99. Several at once are answered with the whole.
   * @param options.ifRange The ETag of the file that the range is meant for; the whole when it is another.
   * @param options.ifNoneMatch ETags that the client has: 304 when this is one of them.
   */
  downloadFile(vehicleId: string, logbookEntryId: string, blobUuid: string, options: CallOptions & { range?: string; ifRange?: string; ifNoneMatch?: string } = {}): Promise<Response> {
    return this.#transport.response({ method: 'GET', path: path`/${vehicleId}/blobs/logbook/${logbookEntryId}/${blobUuid}`, headers: { Range: options.range, 'If-Range': options.ifRange, 'If-None-Match': options.ifNoneMatch } }, options);
  }

  /**
   * Remove a file (BLOB) from a logbook entry of a vehicle.
   *
   * Deletes the file, its record and its bytes, whether it was uploaded or only announced. A second call answers
   * 404.
   */
  removeFile(vehicleId: string, logbookEntryId: string, blobUuid: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.empty({ method: 'DELETE', path: path`/${vehicleId}/blobs/logbook/${logbookEntryId}/${blobUuid}` }, options);
  }


  /** Announces a file and uploads its content. */
  async addFile(vehicleId: string, logbookEntryId: string, file: AnnouncedFile, content: Content, options: CallOptions = {}) {
    const { uuid } = await this.announceFile(vehicleId, logbookEntryId, file, options);
    return this.uploadFile(vehicleId, logbookEntryId, uuid, content, options);
  }
}

/** The checklist of a vehicle, with its files. */
export class ChecklistApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Find checklist entries of a vehicle.
   *
   * Returns the entries of the vehicle that match all filters, in pages; in the order of their position unless
   * another order is asked for. A filter on options or on a field of blobs asks whether any of them fits; value
   * can only be asked whether it exists. A filter without a field looks for text in the title and the comment.
   */
  find(vehicleId: string, body?: FindChecklistEntriesRequest, options: CallOptions = {}): SearchResults<ChecklistEntry> {
    return this.#transport.search({ method: 'POST', path: path`/${vehicleId}/checklist/search`, body, isSafe: true }, options);
  }

  /**
   * Put an entry on the checklist of a vehicle.
   *
   * Adds an entry, answered or still to be answered; at the end of the list when it names no position. Its files
   * are announced and uploaded afterwards.
   */
  create(vehicleId: string, body: ChecklistEntryRequest, options: CallOptions = {}): Promise<ChecklistEntry> {
    return this.#transport.json({ method: 'POST', path: path`/${vehicleId}/checklist`, body, isKeyed: true }, options);
  }

  /**
   * Read a checklist entry.
   *
   * Returns one entry of the vehicle, with its files.
   *
   * @param options.ifNoneMatch ETags of what the client has: 304 when it is one of them.
   */
  get(vehicleId: string, checklistEntryId: string, options: CallOptions & { ifNoneMatch?: string } = {}): Promise<ChecklistEntry> {
    return this.#transport.json({ method: 'GET', path: path`/${vehicleId}/checklist/${checklistEntryId}`, headers: { 'If-None-Match': options.ifNoneMatch } }, options);
  }

  /**
   * Overwrite a checklist entry.
   *
   * What the body leaves out is cleared; the files of the entry stay, and so does its position when none is
   * named.
   *
   * @param options.ifMatch The ETag as it was read: 412 when it has changed since.
   */
  put(vehicleId: string, checklistEntryId: string, body: ChecklistEntryRequest, options: CallOptions & { ifMatch?: string } = {}): Promise<ChecklistEntry> {
    return this.#transport.json({ method: 'PUT', path: path`/${vehicleId}/checklist/${checklistEntryId}`, headers: { 'If-Match': options.ifMatch }, body }, options);
  }

  /**
   * Delete a checklist entry of a vehicle.
   *
   * Deletes the entry and its files; the other entries keep their positions. A second call answers 404.
   *
   * @param options.ifMatch The ETag as it was read: 412 when it has changed since.
   */
  delete(vehicleId: string, checklistEntryId: string, options: CallOptions & { ifMatch?: string } = {}): Promise<void> {
    return this.#transport.empty({ method: 'DELETE', path: path`/${vehicleId}/checklist/${checklistEntryId}`, headers: { 'If-Match': options.ifMatch } }, options);
  }

  /**
   * Put a checklist template on a vehicle.
   *
   * Adds all entries of the template to the end of the checklist of the vehicle, in their order: all of them or
   * none. Each call adds them once more. They are copies: later changes of the template do not reach them.
   */
  applyTemplate(vehicleId: string, templateId: string, options: CallOptions = {}): Promise<ApplyChecklistTemplateResponse> {
    return this.#transport.json({ method: 'POST', path: path`/${vehicleId}/checklist/templates/${templateId}`, isKeyed: true }, options);
  }

  /**
   * Announce a file of a checklist entry.
   *
   * The first of two steps: the file gets its UUID and is listed among the blobs of the checklist entry, not
   * uploaded yet. The second is uploadChecklistFile.
   */
  announceFile(vehicleId: string, checklistEntryId: string, body: AttachedFileRequest, options: CallOptions = {}): Promise<AttachedFile> {
    return this.#transport.json({ method: 'POST', path: path`/${vehicleId}/blobs/checklist/${checklistEntryId}`, body, isKeyed: true }, options);
  }

  /**
   * Put the bytes of an announced file.
   *
   * Takes the body as it comes, of any type: the type that the file has is the announced one. The file is
   * uploaded when this answers, and not at all when it does not. A second upload replaces the first as a whole.
   */
  uploadFile(vehicleId: string, checklistEntryId: string, blobUuid: string, content: Content, options: CallOptions = {}): Promise<AttachedFile> {
    return this.#transport.json({ method: 'PUT', path: path`/${vehicleId}/blobs/checklist/${checklistEntryId}/${blobUuid}`, content }, options);
  }

  /**
   * Get the bytes of a file.
   *
   * Answers the bytes under the announced type, as an attachment that no browser runs. A file that is announced
   * and not uploaded is not found.
   *
   * @param options.range One range of bytes, such as bytes=0-99. Several at once are answered with the whole.
   * @param options.ifRange The ETag of the file that the range is meant for; the whole when it is another.
   * @param options.ifNoneMatch ETags that the client has: 304 when this is one of them.
   */
  downloadFile(vehicleId: string, checklistEntryId: string, blobUuid: string, options: CallOptions & { range?: string; ifRange?: string; ifNoneMatch?: string } = {}): Promise<Response> {
    return this.#transport.response({ method: 'GET', path: path`/${vehicleId}/blobs/checklist/${checklistEntryId}/${blobUuid}`, headers: { Range: options.range, 'If-Range': options.ifRange, 'If-None-Match': options.ifNoneMatch } }, options);
  }

  /**
   * Remove a file (BLOB) from a checklist entry of a vehicle.
   *
   * Deletes the file, its record and its bytes, whether it was uploaded or only announced. A second call answers
   * 404.
   */
  removeFile(vehicleId: string, checklistEntryId: string, blobUuid: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.empty({ method: 'DELETE', path: path`/${vehicleId}/blobs/checklist/${checklistEntryId}/${blobUuid}` }, options);
  }


  /** Announces a file and uploads its content. */
  async addFile(vehicleId: string, checklistEntryId: string, file: AnnouncedFile, content: Content, options: CallOptions = {}) {
    const { uuid } = await this.announceFile(vehicleId, checklistEntryId, file, options);
    return this.uploadFile(vehicleId, checklistEntryId, uuid, content, options);
  }
}

/** Templates of checklists. */
export class ChecklistTemplatesApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Find checklist templates of an asset provider.
   *
   * Returns the templates of the asset provider that match all filters, in pages; by name unless another order
   * is asked for. A filter on a field of entries asks whether any of them fits. A filter without a field looks
   * for text in the name.
   */
  find(body?: FindChecklistTemplatesRequest, options: CallOptions = {}): SearchResults<ChecklistTemplate> {
    return this.#transport.search({ method: 'POST', path: path`/checklist-templates/search`, body, isSafe: true }, options);
  }

  /**
   * Make a checklist template.
   *
   * Keeps a named list, which can then be put on any vehicle of the asset provider.
   */
  create(body: ChecklistTemplateRequest, options: CallOptions = {}): Promise<ChecklistTemplate> {
    return this.#transport.json({ method: 'POST', path: path`/checklist-templates`, body, isKeyed: true }, options);
  }

  /**
   * Read a checklist template.
   *
   * Returns one template with its entries.
   *
   * @param options.ifNoneMatch ETags of what the client has: 304 when it is one of them.
   */
  get(templateId: string, options: CallOptions & { ifNoneMatch?: string } = {}): Promise<ChecklistTemplate> {
    return this.#transport.json({ method: 'GET', path: path`/checklist-templates/${templateId}`, headers: { 'If-None-Match': options.ifNoneMatch } }, options);
  }

  /**
   * Overwrite a checklist template.
   *
   * Replaces the name and all entries. What was put on vehicles before stays as it is.
   *
   * @param options.ifMatch The ETag as it was read: 412 when it has changed since.
   */
  put(templateId: string, body: ChecklistTemplateRequest, options: CallOptions & { ifMatch?: string } = {}): Promise<ChecklistTemplate> {
    return this.#transport.json({ method: 'PUT', path: path`/checklist-templates/${templateId}`, headers: { 'If-Match': options.ifMatch }, body }, options);
  }

  /**
   * Delete a checklist template.
   *
   * Deletes the template. What was put on vehicles from it stays. A second call answers 404.
   *
   * @param options.ifMatch The ETag as it was read: 412 when it has changed since.
   */
  delete(templateId: string, options: CallOptions & { ifMatch?: string } = {}): Promise<void> {
    return this.#transport.empty({ method: 'DELETE', path: path`/checklist-templates/${templateId}`, headers: { 'If-Match': options.ifMatch } }, options);
  }
}

/** Invoices, with their files and recognised documents, and what the fleet costs. */
export class InvoicesApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Find invoices of an asset provider.
   *
   * Returns the invoices that match the text and all filters, sorted and in pages; without a body, the 100 with
   * the newest date. A filter on a field of lines or blobs asks whether any of them fits, each filter for
   * itself.
   */
  find(body?: FindInvoicesRequest, options: CallOptions = {}): SearchResults<Invoice> {
    return this.#transport.search({ method: 'POST', path: path`/invoices/search`, body, isSafe: true }, options);
  }

  /**
   * Record an invoice.
   *
   * Adds an invoice or a credit note of a supplier. Amounts that are left out are calculated; those that are
   * sent are checked to the minor unit by the rules of EN 16931, and 400 tells of each that is wrong what it
   * must be. A draft may be incomplete. Files are announced and uploaded afterwards.
   */
  create(body: InvoiceRequest, options: CallOptions = {}): Promise<Invoice> {
    return this.#transport.json({ method: 'POST', path: path`/invoices`, body, isKeyed: true }, options);
  }

  /**
   * Make an invoice of a document.
   *
   * Takes an electronic invoice of EN 16931 as it comes, and recognises it by its content, whatever its type is
   * said to be: XML in UBL 2.1 (XRechnung, Peppol BIS Billing) or UN/CEFACT CII D16B, or a PDF that carries such
   * XML (ZUGFeRD 2, Factur-X). The business rules of the standard are checked, and what fails is answered with
   * the number of the rule, its place in the document, and the value found. A VIN or licence plate in a line, in
   * a reference or in a note links the line to the vehicle. The document is kept as a file of the invoice. A
   * picture, or a PDF without such XML, becomes a draft: its text is recognised afterwards, and getInvoiceOcr
   * has what it suggests.
   */
  createFromDocument(content: Content, options: CallOptions = {}): Promise<Invoice> {
    return this.#transport.json({ method: 'POST', path: path`/invoices/documents`, content, isKeyed: true }, options);
  }

  /**
   * Read an invoice.
   *
   * Returns one invoice, with its lines and files.
   *
   * @param options.ifNoneMatch ETags of what the client has: 304 when it is one of them.
   */
  get(invoiceId: string, options: CallOptions & { ifNoneMatch?: string } = {}): Promise<Invoice> {
    return this.#transport.json({ method: 'GET', path: path`/invoices/${invoiceId}`, headers: { 'If-None-Match': options.ifNoneMatch } }, options);
  }

  /**
   * Overwrite an invoice, or move its status.
   *
   * What the body leaves out is cleared or calculated, but for the status, which stays; the files of the invoice
   * stay. Once it is approved, only its status, its note, and the kinds and links of its lines can be changed. A
   * draft can become open or cancelled; open: approved, disputed or cancelled; approved: paid, disputed or
   * cancelled; disputed: open, approved or cancelled; paid: approved, when the payment was returned; cancelled:
   * draft.
   *
   * @param options.ifMatch The ETag as it was read: 412 when it has changed since.
   */
  put(invoiceId: string, body: InvoiceRequest, options: CallOptions & { ifMatch?: string } = {}): Promise<Invoice> {
    return this.#transport.json({ method: 'PUT', path: path`/invoices/${invoiceId}`, headers: { 'If-Match': options.ifMatch }, body }, options);
  }

  /**
   * Delete a draft of an invoice.
   *
   * Deletes the draft and its files. Any other invoice has to be kept, also one that was open before: it is
   * cancelled by its status. A second call answers 404.
   *
   * @param options.ifMatch The ETag as it was read: 412 when it has changed since.
   */
  delete(invoiceId: string, options: CallOptions & { ifMatch?: string } = {}): Promise<void> {
    return this.#transport.empty({ method: 'DELETE', path: path`/invoices/${invoiceId}`, headers: { 'If-Match': options.ifMatch } }, options);
  }

  /**
   * Read what was recognised in the document of a draft.
   *
   * Returns the text of a receipt that came as a picture or a PDF, and what it suggests for the invoice, with
   * the confidence and the place on the page. Nothing is changed by it: a person takes what is right by
   * overwriting the draft (putInvoice). With the draft it ends: text and suggestions may name persons, and are
   * deleted when the invoice is opened or cancelled.
   */
  getOcr(invoiceId: string, options: CallOptions = {}): Promise<InvoiceOcr> {
    return this.#transport.json({ method: 'GET', path: path`/invoices/${invoiceId}/ocr` }, options);
  }

  /**
   * Sum up the costs of the fleet.
   *
   * Returns totals by vehicle, month, kind and supplier, for each currency apart, of the lines of invoices
   * (open, approved, disputed or paid; credit notes are subtracted) and of the costs in logbooks. An entry that
   * a line of an invoice is linked to counts by the invoice alone. A line belongs to the day on which its
   * service began, else to that of the service or the date of the invoice, and has its share of the VAT, and of
   * allowances and charges on the invoice.
   */
  findCosts(body?: CostRequest, options: CallOptions = {}): SearchResults<CostTotal> {
    return this.#transport.search({ method: 'POST', path: path`/costs`, body, isSafe: true }, options);
  }

  /**
   * Announce a file of an invoice.
   *
   * The first of two steps: the file gets its UUID and is listed among the blobs of the invoice, not uploaded
   * yet. The second is uploadInvoiceFile.
   */
  announceFile(invoiceId: string, body: AttachedFileRequest, options: CallOptions = {}): Promise<AttachedFile> {
    return this.#transport.json({ method: 'POST', path: path`/blobs/invoices/${invoiceId}`, body, isKeyed: true }, options);
  }

  /**
   * Put the bytes of an announced file.
   *
   * Takes the body as it comes, of any type: the type that the file has is the announced one. The file is
   * uploaded when this answers, and not at all when it does not. A second upload replaces the first as a whole.
   */
  uploadFile(invoiceId: string, blobUuid: string, content: Content, options: CallOptions = {}): Promise<AttachedFile> {
    return this.#transport.json({ method: 'PUT', path: path`/blobs/invoices/${invoiceId}/${blobUuid}`, content }, options);
  }

  /**
   * Get the bytes of a file.
   *
   * Answers the bytes under the announced type, as an attachment that no browser runs. A file that is announced
   * and not uploaded is not found.
   *
   * @param options.range One range of bytes, such as bytes=0-99. Several at once are answered with the whole.
   * @param options.ifRange The ETag of the file that the range is meant for; the whole when it is another.
   * @param options.ifNoneMatch ETags that the client has: 304 when this is one of them.
   */
  downloadFile(invoiceId: string, blobUuid: string, options: CallOptions & { range?: string; ifRange?: string; ifNoneMatch?: string } = {}): Promise<Response> {
    return this.#transport.response({ method: 'GET', path: path`/blobs/invoices/${invoiceId}/${blobUuid}`, headers: { Range: options.range, 'If-Range': options.ifRange, 'If-None-Match': options.ifNoneMatch } }, options);
  }

  /**
   * Remove a file (BLOB) from an invoice.
   *
   * Deletes the file, its record and its bytes, whether it was uploaded or only announced. A second call answers
   * 404.
   */
  removeFile(invoiceId: string, blobUuid: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.empty({ method: 'DELETE', path: path`/blobs/invoices/${invoiceId}/${blobUuid}` }, options);
  }


  /** Announces a file and uploads its content. */
  async addFile(invoiceId: string, file: AnnouncedFile, content: Content, options: CallOptions = {}) {
    const { uuid } = await this.announceFile(invoiceId, file, options);
    return this.uploadFile(invoiceId, uuid, content, options);
  }
}

/** What has changed: by pages, or as a stream. */
export class EventsApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Read the log of events.
   *
   * Returns the events behind a cursor that match all filters, in the order of the log, which is that of the
   * commits: what is behind a cursor was committed later than what is before it, so that whoever keeps the
   * cursor misses nothing and gets nothing twice. Without a body, the oldest 100. Every change of a record is an
   * event (CloudEvents 1.0), whoever made it; what vehicles report is none.
   */
  find(body?: FindEventsRequest, options: CallOptions = {}): SearchResults<FleetEvent, EventPagination> {
    return this.#transport.search({ method: 'POST', path: path`/events/search`, body, isSafe: true }, options);
  }

  /**
   * Listen to events.
   *
   * Sends the events of the log as they are committed, as server-sent events, each with its sequence as `id`: a
   * client that comes back with `Last-Event-ID` misses nothing and gets nothing twice. Without it, the stream
   * begins with what happens next. Every 15 seconds there is a comment, with the id that the log has reached.
   * The type `vehicle.status.v1` has to be named: it is the status of a vehicle that has reported, at most one a
   * second and vehicle, for maps; it is not in the log and has no `id`. The stream ends when the token expires
   * or is revoked, when the service stops, and when the client reads too slowly: it then resumes.
   *
   * @param options.types The types to send, joined by commas; 100 at most.
   * @param options.vehicleIds The vehicles whose events to send, joined by commas; 100 at most.
   * @param options.cursor Where to begin, as in findEvents; the header Last-Event-ID comes before it. `"latest"`
   * when left out.
   * @param options.lastEventId The id of the last event that was received: the stream goes on behind it.
   */
  stream(options: CallOptions & { types?: string | readonly string[]; vehicleIds?: string | readonly string[]; cursor?: string | readonly string[]; lastEventId?: string | readonly string[] } = {}): AsyncGenerator<StreamedEvent, void, undefined> {
    return this.#transport.events({ method: 'GET', path: path`/events`, query: { types: options.types, vehicleIds: options.vehicleIds, cursor: options.cursor }, headers: { 'Last-Event-ID': options.lastEventId } }, options);
  }
}

/** Subscriptions to events, which are posted to a URL; for administrators. */
export class WebhooksApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Find webhooks.
   *
   * Returns the webhooks that match all filters, without their secrets, in pages; the oldest first unless
   * another order is asked for.
   */
  find(body?: FindWebhooksRequest, options: CallOptions = {}): SearchResults<Webhook> {
    return this.#transport.search({ method: 'POST', path: path`/webhooks/search`, body, isSafe: true }, options);
  }

  /**
   * Subscribe to events with a webhook.
   *
   * Every event of these types that is committed from now on is posted to the URL, signed as Standard Webhooks
   * describes, at least once. The id of the event is the `webhook-id` of every try. Those of one vehicle come in
   * their order while the receiver keeps up. Any 2xx answer within 10 seconds accepts an event; what fails is
   * tried again for three days, ever later; 410 ends the webhook. The secret is in this answer alone.
   */
  create(body: WebhookRequest, options: CallOptions = {}): Promise<WebhookWithSecret> {
    return this.#transport.json({ method: 'POST', path: path`/webhooks`, body, isKeyed: true }, options);
  }

  /**
   * Read a webhook.
   *
   * Returns one webhook without its secret, and whether its deliveries succeed.
   *
   * @param options.ifNoneMatch ETags of what the client has: 304 when it is one of them.
   */
  get(webhookId: string, options: CallOptions & { ifNoneMatch?: string } = {}): Promise<Webhook> {
    return this.#transport.json({ method: 'GET', path: path`/webhooks/${webhookId}`, headers: { 'If-None-Match': options.ifNoneMatch } }, options);
  }

  /**
   * Overwrite a webhook.
   *
   * Replaces the URL, the types and the description; the secret stays. What waits to be delivered goes to the
   * new URL.
   *
   * @param options.ifMatch The ETag as it was read: 412 when it has changed since.
   */
  put(webhookId: string, body: WebhookRequest, options: CallOptions & { ifMatch?: string } = {}): Promise<Webhook> {
    return this.#transport.json({ method: 'PUT', path: path`/webhooks/${webhookId}`, headers: { 'If-Match': options.ifMatch }, body }, options);
  }

  /**
   * Delete a webhook.
   *
   * Nothing more is delivered, and the log of its deliveries goes with it.
   *
   * @param options.ifMatch The ETag as it was read: 412 when it has changed since.
   */
  delete(webhookId: string, options: CallOptions & { ifMatch?: string } = {}): Promise<void> {
    return this.#transport.empty({ method: 'DELETE', path: path`/webhooks/${webhookId}`, headers: { 'If-Match': options.ifMatch } }, options);
  }

  /**
   * Replace the secret of a webhook.
   *
   * The new secret is in this answer alone. For a day deliveries are signed with both secrets, so that receivers
   * can be changed one after the other.
   */
  rotateSecret(webhookId: string, options: CallOptions = {}): Promise<WebhookWithSecret> {
    return this.#transport.json({ method: 'POST', path: path`/webhooks/${webhookId}/rotate`, isKeyed: true }, options);
  }

  /**
   * Deliver again to a webhook that is paused or has ended.
   *
   * Deliveries go on with the event after the last one, as far as events are still kept. One that is active
   * stays so.
   */
  enable(webhookId: string, options: CallOptions = {}): Promise<Webhook> {
    return this.#transport.json({ method: 'POST', path: path`/webhooks/${webhookId}/enable`, isKeyed: true }, options);
  }

  /**
   * Pause a webhook.
   *
   * Nothing is sent until it is enabled; deliveries then go on with the event after the last one, as far as
   * events are still kept. One that is paused or has ended stays so.
   */
  disable(webhookId: string, options: CallOptions = {}): Promise<Webhook> {
    return this.#transport.json({ method: 'POST', path: path`/webhooks/${webhookId}/disable`, isKeyed: true }, options);
  }

  /**
   * Send a test event to a webhook.
   *
   * Posts an event of type `webhook.test.v1` at once, signed as every delivery is, and answers what came of it.
   * It is tried once, is not in the log of events nor in that of deliveries, and changes nothing: also of a
   * webhook that is paused. For what the asset provider may send, it counts as a message on a new connection:
   * where nothing is left, it is 429.
   */
  test(webhookId: string, options: CallOptions = {}): Promise<WebhookTest> {
    return this.#transport.json({ method: 'POST', path: path`/webhooks/${webhookId}/test` }, options);
  }

  /**
   * Read the log of deliveries of a webhook.
   *
   * Returns the deliveries that match all filters, in pages; the newest first unless another order is asked for.
   * They are kept as long as events are.
   */
  findDeliveries(webhookId: string, body?: FindWebhookDeliveriesRequest, options: CallOptions = {}): SearchResults<WebhookDelivery> {
    return this.#transport.search({ method: 'POST', path: path`/webhooks/${webhookId}/deliveries/search`, body, isSafe: true }, options);
  }

  /**
   * Send an event to a webhook again.
   *
   * Sends an event that is still kept within moments, with the same `webhook-id`, and tries it for three days as
   * a new one: whatever became of its delivery, and also if there was none, since the webhook was made later or
   * is for other types.
   */
  resend(webhookId: string, sequence: string, options: CallOptions = {}): Promise<WebhookDelivery> {
    return this.#transport.json({ method: 'POST', path: path`/webhooks/${webhookId}/deliveries/${sequence}/send`, isKeyed: true }, options);
  }
}

/** The clients that may request tokens; for administrators. */
export class ClientsApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Find clients of the interface.
   *
   * Returns the clients that match all filters, without their secrets, in pages; by name unless another order is
   * asked for. A filter without a field looks for text in the id and the name.
   */
  find(body?: FindClientsRequest, options: CallOptions = {}): SearchResults<Client> {
    return this.#transport.search({ method: 'POST', path: path`/administration/clients/search`, body, isSafe: true }, options);
  }

  /**
   * Issue a client id and a secret.
   *
   * The secret is in this answer alone: the service keeps a hash of it.
   */
  create(body: CreateClientRequest, options: CallOptions = {}): Promise<ClientCredentials> {
    return this.#transport.json({ method: 'POST', path: path`/administration/clients`, body, isKeyed: true }, options);
  }

  /**
   * Read a client.
   *
   * Returns the settings of one client, without its secret.
   *
   * @param options.ifNoneMatch ETags of what the client has: 304 when it is one of them.
   */
  get(clientId: string, options: CallOptions & { ifNoneMatch?: string } = {}): Promise<Client> {
    return this.#transport.json({ method: 'GET', path: path`/administration/clients/${clientId}`, headers: { 'If-None-Match': options.ifNoneMatch } }, options);
  }

  /**
   * Overwrite the settings of a client.
   *
   * What the body leaves out is cleared. When the role, the networks or the expiry change, the tokens that the
   * client has, and those that people got through it, are refused within a second. Whether a client is public
   * cannot be changed.
   *
   * @param options.ifMatch The ETag as it was read: 412 when it has changed since.
   */
  put(clientId: string, body: PutClientRequest, options: CallOptions & { ifMatch?: string } = {}): Promise<Client> {
    return this.#transport.json({ method: 'PUT', path: path`/administration/clients/${clientId}`, headers: { 'If-Match': options.ifMatch }, body }, options);
  }

  /**
   * Delete a client.
   *
   * The tokens that the client has, and those that people got through it, are refused within a second. A second
   * call answers 404.
   *
   * @param options.ifMatch The ETag as it was read: 412 when it has changed since.
   */
  delete(clientId: string, options: CallOptions & { ifMatch?: string } = {}): Promise<void> {
    return this.#transport.empty({ method: 'DELETE', path: path`/administration/clients/${clientId}`, headers: { 'If-Match': options.ifMatch } }, options);
  }

  /**
   * Replace the secret of a client.
   *
   * The new secret is in this answer alone. With keepPreviousHours both secrets are valid meanwhile, so that
   * programs can be changed one after the other; a secret before the previous one is refused. Without it, the
   * previous secret is refused at once, and the tokens that the client has within a second.
   */
  rotateSecret(clientId: string, body?: RotateClientSecretRequest, options: CallOptions = {}): Promise<ClientCredentials> {
    return this.#transport.json({ method: 'POST', path: path`/administration/clients/${clientId}/rotate`, body, isKeyed: true }, options);
  }

  /**
   * Disable a client.
   *
   * The client gets no tokens. Those that it has, and those that people got through it, are refused within a
   * second, also after it is enabled again.
   */
  disable(clientId: string, options: CallOptions = {}): Promise<Client> {
    return this.#transport.json({ method: 'POST', path: path`/administration/clients/${clientId}/disable`, isKeyed: true }, options);
  }

  /**
   * Enable a disabled client.
   *
   * The client gets tokens again, with the secret that it had.
   */
  enable(clientId: string, options: CallOptions = {}): Promise<Client> {
    return this.#transport.json({ method: 'POST', path: path`/administration/clients/${clientId}/enable`, isKeyed: true }, options);
  }
}

/** The people who may sign in; for administrators. */
export class UserAccountsApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Find people who sign in.
   *
   * Returns the users that match all filters, in pages; by user name unless another order is asked for. A filter
   * without a field looks for text in the user name and the name.
   */
  find(body?: FindUserAccountsRequest, options: CallOptions = {}): SearchResults<UserAccount> {
    return this.#transport.search({ method: 'POST', path: path`/administration/users/search`, body, isSafe: true }, options);
  }

  /**
   * Invite a person.
   *
   * Makes a user without a password, and answers a link by which the person sets one. The link is in this answer
   * alone.
   */
  invite(body: InviteUserRequest, options: CallOptions = {}): Promise<InvitedUserAccount> {
    return this.#transport.json({ method: 'POST', path: path`/administration/users`, body, isKeyed: true }, options);
  }

  /**
   * Read a user.
   *
   * Returns one person who signs in.
   *
   * @param options.ifNoneMatch ETags of what the client has: 304 when it is one of them.
   */
  get(userId: string, options: CallOptions & { ifNoneMatch?: string } = {}): Promise<UserAccount> {
    return this.#transport.json({ method: 'GET', path: path`/administration/users/${userId}`, headers: { 'If-None-Match': options.ifNoneMatch } }, options);
  }

  /**
   * Overwrite the role, the name and the address of a user.
   *
   * What the body leaves out is cleared. With another role, the tokens of the user are refused within a second;
   * applications get new ones, with that role, without another sign-in.
   *
   * @param options.ifMatch The ETag as it was read: 412 when it has changed since.
   */
  put(userId: string, body: PutUserAccountRequest, options: CallOptions & { ifMatch?: string } = {}): Promise<UserAccount> {
    return this.#transport.json({ method: 'PUT', path: path`/administration/users/${userId}`, headers: { 'If-Match': options.ifMatch }, body }, options);
  }

  /**
   * Delete a user.
   *
   * The sessions of the user end at once, and tokens are refused within a second. A second call answers 404.
   *
   * @param options.ifMatch The ETag as it was read: 412 when it has changed since.
   */
  delete(userId: string, options: CallOptions & { ifMatch?: string } = {}): Promise<void> {
    return this.#transport.empty({ method: 'DELETE', path: path`/administration/users/${userId}`, headers: { 'If-Match': options.ifMatch } }, options);
  }

  /**
   * Disable a user.
   *
   * The user cannot sign in. Sessions end at once, and tokens are refused within a second, also after the user
   * is enabled again.
   */
  disable(userId: string, options: CallOptions = {}): Promise<UserAccount> {
    return this.#transport.json({ method: 'POST', path: path`/administration/users/${userId}/disable`, isKeyed: true }, options);
  }

  /**
   * Enable a disabled user.
   *
   * The user can sign in again, with the password of before.
   */
  enable(userId: string, options: CallOptions = {}): Promise<UserAccount> {
    return this.#transport.json({ method: 'POST', path: path`/administration/users/${userId}/enable`, isKeyed: true }, options);
  }

  /**
   * Reset the password of a user.
   *
   * The password, the sessions and an earlier link of the user end at once, and tokens within a second. The
   * answer has a link by which the person sets a new password; it is in this answer alone.
   */
  reset(userId: string, body?: ResetUserAccountRequest, options: CallOptions = {}): Promise<InvitedUserAccount> {
    return this.#transport.json({ method: 'POST', path: path`/administration/users/${userId}/reset`, body, isKeyed: true }, options);
  }
}

/** Sessions of people who have signed in; for administrators. */
export class SessionsApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Find who is signed in.
   *
   * Returns the sessions of people that match all filters, in pages; the newest sign-in first unless another
   * order is asked for.
   */
  find(body?: FindSignInSessionsRequest, options: CallOptions = {}): SearchResults<SignInSession> {
    return this.#transport.search({ method: 'POST', path: path`/administration/sessions/search`, body, isSafe: true }, options);
  }

  /**
   * Sign a user out of a session.
   *
   * The browser has to sign in again, and the refresh tokens of the session are refused, at once. The access
   * tokens of the user are refused within a second; those of other sessions are then refreshed by their
   * applications. A second call answers 404.
   */
  revoke(sessionId: string, options: CallOptions = {}): Promise<void> {
    return this.#transport.empty({ method: 'DELETE', path: path`/administration/sessions/${sessionId}` }, options);
  }
}

/** Work of the service that was given up; for administrators. */
export class FailedJobsApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Find work that was given up.
   *
   * Returns the jobs for this asset provider that failed at their last try and match all filters, in pages; the
   * newest first unless another order is asked for. They stay for a year, or until the operator has them tried
   * again.
   */
  find(body?: FindFailedJobsRequest, options: CallOptions = {}): SearchResults<FailedJob> {
    return this.#transport.search({ method: 'POST', path: path`/administration/failed-jobs/search`, body, isSafe: true }, options);
  }
}

/** The audit trail; for administrators. */
export class AuditApi {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Find out who changed what.
   *
   * Returns the events of the audit trail that match all filters, sorted and in pages; without a body, the
   * newest 100. Every change that a client, a person or a command makes to a record is an event, and so are
   * sign-ins. What vehicles report, and what the service derives from it, is not.
   */
  find(body?: FindAuditEventsRequest, options: CallOptions = {}): SearchResults<AuditEvent> {
    return this.#transport.search({ method: 'POST', path: path`/audit/search`, body, isSafe: true }, options);
  }
}

/** All operations, in groups. */
export class Operations {
  /** The provider's own profile. */
  readonly profile: ProfileApi;
  /** The vehicles of the fleet, with their pictures. */
  readonly vehicles: VehiclesApi;
  /** Views of the vehicles that people share. */
  readonly savedViews: SavedViewsApi;
  /** What vehicles and their databoxes measure. */
  readonly telemetry: TelemetryApi;
  /** The databoxes, and the vehicles they are installed in. */
  readonly databoxes: DataboxesApi;
  /** Charging sessions of a vehicle. */
  readonly charging: ChargingApi;
  /** The periodical inspection of a vehicle. */
  readonly inspection: InspectionApi;
  /** Planned maintenance and reports of it. */
  readonly maintenance: MaintenanceApi;
  /** The schedules by which maintenance is planned. */
  readonly maintenanceSchedules: MaintenanceSchedulesApi;
  /** Who may drive a vehicle, and who drove it when. */
  readonly drivers: DriversApi;
  /** The customers who use vehicles. */
  readonly users: UsersApi;
  /** Incidents with their damages, files and recognised documents. */
  readonly incidents: IncidentsApi;
  /** The logbook of a vehicle, with its files. */
  readonly logbook: LogbookApi;
  /** The checklist of a vehicle, with its files. */
  readonly checklist: ChecklistApi;
  /** Templates of checklists. */
  readonly checklistTemplates: ChecklistTemplatesApi;
  /** Invoices, with their files and recognised documents, and what the fleet costs. */
  readonly invoices: InvoicesApi;
  /** What has changed: by pages, or as a stream. */
  readonly events: EventsApi;
  /** Subscriptions to events, which are posted to a URL; for administrators. */
  readonly webhooks: WebhooksApi;
  /** The clients that may request tokens; for administrators. */
  readonly clients: ClientsApi;
  /** The people who may sign in; for administrators. */
  readonly userAccounts: UserAccountsApi;
  /** Sessions of people who have signed in; for administrators. */
  readonly sessions: SessionsApi;
  /** Work of the service that was given up; for administrators. */
  readonly failedJobs: FailedJobsApi;
  /** The audit trail; for administrators. */
  readonly audit: AuditApi;

  constructor(transport: Transport) {
    this.profile = new ProfileApi(transport);
    this.vehicles = new VehiclesApi(transport);
    this.savedViews = new SavedViewsApi(transport);
    this.telemetry = new TelemetryApi(transport);
    this.databoxes = new DataboxesApi(transport);
    this.charging = new ChargingApi(transport);
    this.inspection = new InspectionApi(transport);
    this.maintenance = new MaintenanceApi(transport);
    this.maintenanceSchedules = new MaintenanceSchedulesApi(transport);
    this.drivers = new DriversApi(transport);
    this.users = new UsersApi(transport);
    this.incidents = new IncidentsApi(transport);
    this.logbook = new LogbookApi(transport);
    this.checklist = new ChecklistApi(transport);
    this.checklistTemplates = new ChecklistTemplatesApi(transport);
    this.invoices = new InvoicesApi(transport);
    this.events = new EventsApi(transport);
    this.webhooks = new WebhooksApi(transport);
    this.clients = new ClientsApi(transport);
    this.userAccounts = new UserAccountsApi(transport);
    this.sessions = new SessionsApi(transport);
    this.failedJobs = new FailedJobsApi(transport);
    this.audit = new AuditApi(transport);
  }
}
