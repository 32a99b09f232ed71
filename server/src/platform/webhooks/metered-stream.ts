import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

/** Does a piece of work when its time has come. */
export type RunMetered = (work: () => void) => Promise<void>;

/**
 * What is received over a socket, for whoever encrypts above it. Each chunk is handed over as one piece of metered work: it is
 * decrypted, and certificates in it are checked, within that. The end of the socket comes after the chunk that waits.
 */
export class MeteredStream extends Duplex {
  readonly #socket: Socket;
  #handedOver: Promise<void> = Promise.resolve();

  constructor(socket: Socket, run: RunMetered) {
    super();
    this.#socket = socket;
    socket.on('data', (chunk) => {
      socket.pause();
      this.#handedOver = run(() => void (this.destroyed || this.push(chunk)));
      this.#handedOver.catch((error) => this.destroy(error));
    });
    socket.on('end', () => this.#afterChunk(() => this.push(null)));
    socket.on('error', (error) => this.#afterChunk(() => this.destroy(error)));
    socket.on('close', () => this.#afterChunk(() => this.destroy()));
  }

  #afterChunk(work: () => void): void {
    this.#handedOver.then(work, () => {});
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(chunk: Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void) {
    this.#socket.write(chunk, encoding, done);
  }

  override _final(done: () => void): void {
    this.#socket.end(done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#socket.destroy();
    done(error);
  }
}
