import type { Module } from '../module.ts';
import { createIncident } from './create-incident.ts';
import { customerIncidents } from './customer-data.ts';
import { decideSuggestion } from './decide-suggestion.ts';
import { deleteIncident } from './delete-incident.ts';
import { seedIncidents } from './demo/seed-incidents.ts';
import { findIncidents } from './find-incidents.ts';
import { getIncident } from './get-incident.ts';
import { getIncidentOcr } from './get-incident-ocr.ts';
import { exampleIncident } from './incident.ts';
import { incidentEvents } from './incident-events.ts';
import { findVehicleIncidents, listIncidents } from './list-incidents.ts';
import {
  recogniseIncident,
  recogniseUpload,
  resumeRecognition,
} from './recognition/recognise-incident.ts';
import { setIncidentOcrStatus } from './set-incident-ocr-status.ts';
import { updateIncident } from './update-incident.ts';

export const incidents: Module = {
  name: 'incidents',
  tag: {
    name: 'Incidents',
    description: 'Accidents and breakdowns of vehicles, and their damages.',
  },
  operations: [
    findIncidents,
    listIncidents,
    findVehicleIncidents,
    createIncident,
    getIncident,
    updateIncident,
    deleteIncident,
    getIncidentOcr,
    setIncidentOcrStatus,
    decideSuggestion,
  ],
  recordEvents: [incidentEvents],
  jobs: [recogniseIncident, resumeRecognition],
  files: {
    segment: 'incidents',
    name: 'Incident',
    noun: 'incident',
    phrase: 'an incident',
    parameter: 'incidentId',
    exampleId: exampleIncident.id,
    table: 'incidents',
    onUpload: (tx, { provider, vehicleId, entryId, blobUuid }, context) =>
      recogniseUpload(tx, [provider.id, vehicleId ?? '', entryId], blobUuid, context),
  },
  customerData: customerIncidents,
  // What a crash left behind is resumed at the next start, not only at the next hour.
  start: async ({ db, jobs }, { runsJobs }) => {
    if (runsJobs) await jobs.add(db, resumeRecognition, {});
  },
  demo: seedIncidents,
};
