import { deleteDatabox } from './delete-databox.ts';
import { getDatabox } from './get-databox.ts';
import { getVehicleHistory } from './get-vehicle-history.ts';
import { listDataboxes } from './list-databoxes.ts';
import { putDatabox } from './put-databox.ts';
import { putVehicleStatus } from './put-vehicle-status.ts';
import { sendDataboxMessages } from './send-databox-messages.ts';

export const databoxOperations = [
  putVehicleStatus,
  sendDataboxMessages,
  getVehicleHistory,
  listDataboxes,
  putDatabox,
  getDatabox,
  deleteDatabox,
];
