import type { ContractSeed } from '../../testing/contract/seed.ts';

export const seed: ContractSeed = {
  needs: ['vehicleId'],
  async create({ call }) {
    const url = 'https://erp.example.com/events';
    const { id: webhookId } = await call('POST', '/webhooks', { url });
    // The newest, which no other round has.
    const { items } = await call('POST', '/events/search', { pagination: { pageSize: 1_000 } });
    const { sequence, id: eventId } = items.at(-1);
    await call('POST', `/webhooks/${webhookId}/deliveries/${sequence}/send`);
    return { webhookId, sequence, eventId };
  },
};
