import { setImmediate } from 'node:timers/promises';
import { createTurns } from '../turns.ts';

/** Larger bodies are begun in turn. */
export const largeBodyBytes = 32_768;

/**
 * Begins one large body in a turn of the event loop, and takes providers round robin: those whose bodies end together
 * would otherwise be parsed, validated and handed to their handlers in one turn.
 */
export function createBodyTurns(): (provider: string, begin: () => void) => void {
  const [ofProvider, ofProcess] = [createTurns(), createTurns()];
  const beginAlone = async (begin: () => void) => {
    begin();
    await setImmediate();
  };
  return (provider, begin) => {
    void ofProvider(provider, () => ofProcess('', () => beginAlone(begin)));
  };
}
