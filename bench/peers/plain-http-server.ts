import { createServer } from 'node:http';

/** The limit of the runtime: reads the body, and sends a constant of the requested size. */
const answers = new Map<number, Buffer>();

const server = createServer((request, response) => {
  const size = Number(request.url?.slice(1));
  let answer = answers.get(size);
  if (!answer) {
    answer = Buffer.alloc(size, 'x');
    answers.set(size, answer);
  }
  request.resume().on('end', () => {
    response
      .writeHead(200, { 'content-type': 'application/json', 'content-length': size })
      .end(answer);
  });
});

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object') process.stdout.write(`http://127.0.0.1:${address?.port}\n`);
});
