import { chargingHistory } from './charging-history.ts';
import { deleteChargingSession } from './delete-charging-session.ts';
import { putChargingSession } from './put-charging-session.ts';

export const chargingOperations = [chargingHistory, putChargingSession, deleteChargingSession];
