import { openBrowser } from '../../testing/browser.ts';
import type { ContractSeed } from '../../testing/contract/seed.ts';
import { exampleClientRequest } from './client.ts';

const password = 'nine otters cross the river';

export const seed: ContractSeed = {
  async create({ provider, url, id, call }) {
    const settings = { ...exampleClientRequest, name: 'Import' };
    const client = await call('POST', '/administration/clients', settings);
    const disabledClient = await call('POST', '/administration/clients', settings);
    await call('POST', `/administration/clients/${disabledClient.id}/disable`);
    const invited = { username: id('invited'), name: 'Carla' };
    const disabledUser = await call('POST', '/administration/users', invited);
    await call('POST', `/administration/users/${disabledUser.id}/disable`);
    const username = id('signed.in');
    const user = await call('POST', '/administration/users', { username, name: 'Ben' });

    const realm = `${url}/realms/${provider.id}`;
    const browser = openBrowser(url);
    const [link, token] = user.invitationLink.split('#');
    const asked = await browser.submit(await browser.visit(link), { token });
    await browser.submit(asked, { password, repeated: password });
    const query = new URLSearchParams({
      client_id: 'motorpool-console',
      redirect_uri: `${url}/console/signed-in`,
      response_type: 'code',
      scope: 'openid',
      // Of no verifier: nobody redeems the code.
      code_challenge: 'x'.repeat(43),
      code_challenge_method: 'S256',
    });
    const login = await browser.visit(`${realm}/protocol/openid-connect/auth?${query}`);
    await browser.submit(login, { username, password });
    const { items } = await call('POST', '/administration/sessions/search', {
      filters: [{ field: 'username', value: username }],
    });
    return {
      clientId: client.id,
      userId: user.id,
      disabledClientId: disabledClient.id,
      disabledUserId: disabledUser.id,
      '/administration/sessions/{sessionId}': items[0].id,
    };
  },
  requests: {
    createClient: [{ body: { name: 'Überwachung' } }],
    rotateClientSecret: [{ body: {} }],
    enableClient: [{ values: { clientId: '{disabledClientId}' } }],
    enableUserAccount: [{ values: { userId: '{disabledUserId}' } }],
  },
};
