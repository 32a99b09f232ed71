// Runs as a process of its own, so that the library for images is never loaded into the service: from an array of SVGs
// on standard input to an array of PNGs, in base64, on standard output.
import { json } from 'node:stream/consumers';
import sharp from 'sharp';

const svgs = (await json(process.stdin)) as string[];
const pngs: string[] = [];
for (const svg of svgs) {
  const png = await sharp(Buffer.from(svg)).png().toBuffer();
  pngs.push(png.toString('base64'));
}
process.stdout.write(JSON.stringify(pngs));
