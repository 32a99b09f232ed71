import type { ContractSeed } from '../../testing/contract/seed.ts';

export const seed: ContractSeed = {
  needs: ['vehicleId'],
  async create({ call }) {
    const url = 'https://erp.example.com/events';
    const { id: webhookId } = await call('POST', '/webhooks', { url });
    const { items } = await call('POST', '/events/search', { pagination: { pageSize: 1 } });
    const { sequence } = items[0];
    await call('POST', `/webhooks/${webhookId}/deliveries/${sequence}/send`);
    return { webhookId, sequence };
  },
};
