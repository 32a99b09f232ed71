export const feedback = {
  feedback: {
    requestId: 'Request id',
    tryAgain: 'Try again',
    unreachable: {
      title: 'The service does not answer',
      advice: 'Check your connection, then try again.',
    },
    broken: {
      title: 'Something went wrong on this page',
      advice: 'Try again. If it happens again, reload the page.',
    },
    refused: {
      title: 'You may not see this',
      advice: 'Your role does not permit it. An administrator of your fleet can change that.',
    },
    missing: {
      title: 'It is not there',
      advice: 'It may have been deleted, or its address is wrong.',
    },
    conflict: {
      title: 'Somebody else has changed it',
      advice: 'Load it again, and then make your change.',
    },
    tooMany: { title: 'Too many requests', advice: 'Wait a moment, then try again.' },
    failed: {
      title: 'The service could not answer',
      advice: 'Try again in a moment. If it goes on, tell the operator the request id.',
    },
    invalid: {
      title: 'The service did not understand the request',
      advice: 'Clear the search and the filters, then try again.',
    },
    kinds: {
      'own-access': {
        title: 'You would lock yourself out',
        advice:
          'Nobody can end their own administration, so that a fleet always has an administrator. Let another administrator do it.',
      },
      'name-taken': { title: 'The name is taken', advice: 'Choose another one.' },
      'username-taken': { title: 'The user name is taken', advice: 'Choose another one.' },
      'vehicle-paired': {
        title: 'The vehicle has another box',
        advice: 'Remove that one first, or choose another vehicle.',
      },
      'vin-taken': {
        title: 'Another vehicle in service has this VIN',
        advice: 'Correct the VIN, or take the other vehicle out of service first.',
      },
      'exists-already': { title: 'It exists already', advice: 'Choose another id.' },
      'external-issuer': {
        title: 'Another server manages access',
        advice: 'Clients and people are administered where they sign in.',
      },
    } as Record<string, { title: string; advice: string }>,
    noPage: {
      title: 'There is no such page',
      advice: 'The address may be of another version, or mistyped.',
      action: 'Go to the overview',
    },
  },
  values: {
    never: 'never',
    lastHeard: (age: string) => `Last heard ${age}`,
    copy: 'Copy',
    copied: 'Copied',
    copyId: (id: string) => `Copy ${id}`,
  },
};
