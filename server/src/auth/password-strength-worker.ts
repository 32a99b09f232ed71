import { parentPort } from 'node:worker_threads';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary as common } from '@zxcvbn-ts/language-common';
import { dictionary as english } from '@zxcvbn-ts/language-en';

/** Runs in a thread of its own, as the estimate takes long enough to hold up requests. */

export type PasswordQuestion = { password: string; related: readonly string[] };

// What follows cannot make the estimate lower, but takes more than linear time.
const maxLength = 64;
const estimator = new ZxcvbnFactory({
  dictionary: { ...common, ...english },
  graphs: adjacencyGraphs,
  maxLength,
});

parentPort?.on('message', ({ password, related }: PasswordQuestion) => {
  parentPort?.postMessage(estimator.check(password, [...related]).guessesLog10);
});
