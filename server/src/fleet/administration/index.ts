import type { Module } from '../module.ts';
import { createClient } from './create-client.ts';
import { deleteClient } from './delete-client.ts';
import { deleteUserAccount } from './delete-user-account.ts';
import { disableClient } from './disable-client.ts';
import { disableUserAccount } from './disable-user-account.ts';
import { enableClient } from './enable-client.ts';
import { enableUserAccount } from './enable-user-account.ts';
import { findClients } from './find-clients.ts';
import { findFailedJobs } from './find-failed-jobs.ts';
import { findSignInSessions } from './find-sign-in-sessions.ts';
import { findUserAccounts } from './find-user-accounts.ts';
import { getClient } from './get-client.ts';
import { getUserAccount } from './get-user-account.ts';
import { inviteUser } from './invite-user.ts';
import { putClient } from './put-client.ts';
import { putUserAccount } from './put-user-account.ts';
import { resetUserAccount } from './reset-user-account.ts';
import { revokeSignInSession } from './revoke-sign-in-session.ts';
import { rotateClientSecret } from './rotate-client-secret.ts';

export const administration: Module = {
  name: 'administration',
  tag: {
    name: 'Administration',
    description:
      'The clients of an asset provider, the people who sign in, their sessions, work that has failed, and who changed what. Needs the role `admin`.',
  },
  operations: [
    findClients,
    createClient,
    getClient,
    putClient,
    rotateClientSecret,
    disableClient,
    enableClient,
    deleteClient,
    findUserAccounts,
    inviteUser,
    getUserAccount,
    putUserAccount,
    disableUserAccount,
    enableUserAccount,
    resetUserAccount,
    deleteUserAccount,
    findSignInSessions,
    revokeSignInSession,
    findFailedJobs,
  ],
};
