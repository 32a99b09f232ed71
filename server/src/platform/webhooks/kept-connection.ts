import { Agent as HttpAgent, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { connect as connectTcp, type TcpNetConnectOpts } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { MeteredStream, type RunMetered } from './metered-stream.ts';

/** Of the body of an answer, which has to be read to its end before the connection can be used again. */
const maxReadBytes = 16_384;
/** As which a smaller chunk counts: each is work. */
const bytesOfChunk = 64;

/** Keeps the connection to a receiver from one message to the next. They are sent one after the other. */
export class KeptConnection {
  readonly agent: HttpAgent;
  #lastAnswer?: IncomingMessage;

  constructor(url: string, run: RunMetered) {
    const isEncrypted = new URL(url).protocol === 'https:';
    this.agent = isEncrypted ? new MeteredAgent(run) : new HttpAgent({ keepAlive: true });
  }

  /** Reads what follows the head of an answer. Nobody waits for that. */
  readRest(answer: IncomingMessage): void {
    this.#lastAnswer = answer;
    let bytes = 0;
    answer.on('data', (chunk: Buffer) => {
      bytes += Math.max(chunk.length, bytesOfChunk);
      if (bytes > maxReadBytes) answer.destroy();
    });
    answer.on('error', () => {});
  }

  /** To be called before the next message: a connection on which an answer still comes is given up. */
  endAnswer(): void {
    this.#lastAnswer?.destroy();
    this.#lastAnswer = undefined;
  }

  close(): void {
    this.agent.destroy();
  }
}

/** Lets the work of encryption be metered. */
class MeteredAgent extends HttpsAgent {
  readonly #run: RunMetered;

  constructor(run: RunMetered) {
    super({ keepAlive: true });
    this.#run = run;
  }

  override createConnection(options: TcpNetConnectOpts & ConnectionOptions) {
    const socket = new MeteredStream(connectTcp(options), this.#run);
    // While the connection is given back between two messages, nobody else listens for errors of the stream.
    return connectTls({ ...options, socket }).on('error', () => {});
  }
}
