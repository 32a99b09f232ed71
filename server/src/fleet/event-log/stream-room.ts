import { createCounts } from '../../platform/counts.ts';
import { createEventStream, type EventStream } from '../../platform/http/event-stream.ts';
import { tooManyRequests } from '../../platform/http/problem.ts';
import { createStreamGroup, type StreamGroup } from '../../platform/http/stream-group.ts';

export type StreamLimits = {
  /** Of one provider, and of one of its clients: others have the rest. */
  ofProvider: number;
  ofClient: number;
  /** Of all together, beyond which a provider has no more than `reserved`. */
  ofProcess: number;
  reserved: number;
  /** What may wait for all clients of one provider together. */
  waitingBytes: number;
};

const retrySeconds = 10;

/** The open streams of a process. A provider that has few gets one more, whatever others have. */
export function createStreamRoom({
  ofProvider,
  ofClient,
  ofProcess,
  reserved,
  waitingBytes,
}: StreamLimits) {
  const groups = new Map<string, StreamGroup>();
  const ofClients = createCounts();
  let total = 0;
  return {
    /** 429 unless there is room for one more. */
    require(provider: string, client: string): void {
      const count = groups.get(provider)?.count() ?? 0;
      if (count >= ofProvider)
        throw tooManyRequests(
          `An asset provider may have ${ofProvider} streams of events open at a time.`,
          retrySeconds,
        );
      if (ofClients.of(client) >= ofClient)
        throw tooManyRequests(
          `A client may have ${ofClient} streams of events open at a time.`,
          retrySeconds,
        );
      if (total >= ofProcess && count >= reserved)
        throw tooManyRequests('Too many streams of events are open in this process.', retrySeconds);
    },
    open(provider: string, client: string, onClose: () => void): EventStream {
      const group = groups.get(provider) ?? createStreamGroup(waitingBytes);
      groups.set(provider, group);
      total += 1;
      ofClients.add(client, 1);
      return createEventStream(group, () => {
        total -= 1;
        ofClients.add(client, -1);
        if (group.count() === 0) groups.delete(provider);
        onClose();
      });
    },
  };
}
