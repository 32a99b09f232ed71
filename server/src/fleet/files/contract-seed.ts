import type { ContractSeed, Values } from '../../testing/contract/seed.ts';
import { modules } from '../index.ts';
import { entryPath, filePath } from './file-owner.ts';

const fileOwners = modules.flatMap(({ files }) => files ?? []);

const range = { headers: { range: 'bytes=0-2' }, status: 206 };
const filters = [{ field: 'blobs.filename', operator: 'contains', value: 'another' }];
const byFile = { body: { filters } };
const known = { headers: { 'if-none-match': '*' }, status: 304 };

export const seed: ContractSeed = {
  needs: ['vehicleId', ...fileOwners.map(({ parameter }) => parameter)],
  async create({ values, call }) {
    const made: Values = {};
    for (const owner of fileOwners) {
      const entry = entryPath(owner).replaceAll(/\{(\w+)\}/g, (_, name) => values[name] ?? '');
      const { uuid } = await call('POST', entry, { filename: 'invoice.pdf' });
      await call('PUT', `${entry}/${uuid}`, Buffer.from('the bytes of an invoice'));
      made[filePath(owner)] = uuid;
    }
    return made;
  },
  requests: {
    ...Object.fromEntries(fileOwners.map(({ name }) => [`download${name}File`, [range, known]])),
    findLogbookEntries: [byFile],
    findChecklistEntries: [byFile],
    findVehicleIncidents: [byFile],
  },
};
