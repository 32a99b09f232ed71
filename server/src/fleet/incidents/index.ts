import type { Module } from '../module.ts';
import { createIncident } from './create-incident.ts';
import { customerIncidents } from './customer-data.ts';
import { deleteIncident } from './delete-incident.ts';
import { seedIncidents } from './demo/seed-incidents.ts';
import { findIncidents } from './find-incidents.ts';
import { getIncident } from './get-incident.ts';
import { listIncidents } from './list-incidents.ts';
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
    createIncident,
    getIncident,
    updateIncident,
    deleteIncident,
    setIncidentOcrStatus,
  ],
  files: {
    segment: 'incidents',
    name: 'Incident',
    noun: 'incident',
    phrase: 'an incident',
    parameter: 'incidentId',
    table: 'incidents',
  },
  customerData: customerIncidents,
  demo: seedIncidents,
};
