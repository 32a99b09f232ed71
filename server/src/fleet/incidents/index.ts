import { createIncident } from './create-incident.ts';
import { deleteIncident } from './delete-incident.ts';
import { findIncidents } from './find-incidents.ts';
import { getIncident } from './get-incident.ts';
import { listIncidents } from './list-incidents.ts';
import { setIncidentOcrStatus } from './set-incident-ocr-status.ts';
import { updateIncident } from './update-incident.ts';

export const incidentOperations = [
  findIncidents,
  listIncidents,
  createIncident,
  getIncident,
  updateIncident,
  deleteIncident,
  setIncidentOcrStatus,
];
