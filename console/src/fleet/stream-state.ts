export type StreamState = 'connecting' | 'live' | 'lost';

/** A fetch that tells when a stream of events opens and when it breaks, which the SDK resumes by itself. */
export function watchStreams(onState: (state: StreamState) => void): typeof fetch {
  return async (input, init) => {
    const isStream = new URL(String(input)).pathname.endsWith('/events');
    if (!isStream || init?.method !== 'GET') return fetch(input, init);
    try {
      const response = await fetch(input, init);
      if (!response.ok || response.body === null) {
        onState('lost');
        return response;
      }
      onState('live');
      const watched = response.body.pipeThrough(
        new TransformStream({ flush: () => onState('connecting') }),
      );
      return new Response(watched, response);
    } catch (error) {
      if (!init.signal?.aborted) onState('lost');
      throw error;
    }
  };
}
