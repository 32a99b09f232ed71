import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

type Bounds = { maxBytes: number; timeoutMs: number };

const maxInterimAnswers = 10;

/**
 * What an address answers, of a server that may be hostile: bounded in bytes, also in those that are no part of the body, and in
 * interim answers, which `fetch` passes over without end. No redirect is followed.
 */
export function getBytes(address: string, { maxBytes, timeoutMs }: Bounds): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const request = address.startsWith('https:') ? requestHttps : requestHttp;
    const signal = AbortSignal.timeout(timeoutMs);
    const headers = { accept: 'application/json', 'accept-encoding': 'identity' };
    // A connection of its own, whose bytes are all of this answer.
    const sent = request(address, { headers, signal, agent: false });
    const fail = (why: string) => {
      reject(new Error(`${address} ${why}`));
      sent.destroy();
    };
    const failWith = (error: Error) =>
      signal.aborted ? fail(`did not answer within ${timeoutMs} ms`) : reject(error);
    let interimAnswers = 0;
    sent.on('information', () => {
      interimAnswers += 1;
      if (interimAnswers > maxInterimAnswers) fail('sends interim answers without end');
    });
    sent.once('error', failWith);
    // An answer that changes the protocol is none: without a listener, Node closes the connection without an error.
    sent.once('upgrade', (_, socket) => {
      socket.destroy();
      fail('changes the protocol');
    });
    // Whatever else may end the request.
    sent.once('close', () => fail('has closed the connection'));
    sent.once('response', (response) => {
      response.once('error', failWith);
      const { statusCode = 0, socket } = response;
      if (statusCode < 200 || statusCode > 299) return fail(`answered ${statusCode}`);
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > maxBytes || socket.bytesRead > 2 * maxBytes)
          return fail(`answered more than ${maxBytes} bytes`);
        chunks.push(chunk);
      });
      response.once('end', () => resolve(Buffer.concat(chunks)));
    });
    sent.end();
  });
}
