import { chargingHistory } from './charging-history.ts';
import { deleteChargingSession } from './delete-charging-session.ts';
import { getChargingSession } from './get-charging-session.ts';
import { putChargingSession } from './put-charging-session.ts';

export const chargingOperations = [
  chargingHistory,
  getChargingSession,
  putChargingSession,
  deleteChargingSession,
];
