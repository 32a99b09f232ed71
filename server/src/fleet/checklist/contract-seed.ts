import type { ContractSeed } from '../../testing/contract/seed.ts';

export const seed: ContractSeed = {
  needs: ['vehicleId'],
  async create({ round, values: { vehicleId }, call }) {
    const entry = { title: 'Tyres', type: 'check', value: true };
    const { id: checklistEntryId } = await call('POST', `/${vehicleId}/checklist`, entry);
    // Names are unique; that of the example is left to the example.
    const template = { name: `Return ${round}`, entries: [{ title: 'Tyres', type: 'check' }] };
    const { id: templateId } = await call('POST', '/checklist-templates', template);
    return { checklistEntryId, templateId };
  },
};
