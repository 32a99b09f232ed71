import sharp from 'sharp';
import { identity, multiply, quarterTurns, rectangleTo, rotation, scaling } from './matrix.ts';
import { findPageOutline } from './page-outline.ts';
import { textOf } from './page-text.ts';
import { flatten, type Raster, warp } from './raster.ts';
import {
  type Matrix,
  type RecognisedPage,
  RecognitionError,
  type RecognitionLimits,
  type Word,
} from './recognised-document.ts';
import { findSkew } from './skew.ts';
import type { TextRecogniser } from './tesseract.ts';
import { findTickBoxes } from './tick-boxes.ts';

// The longer side of a page in pixels: about 220 dots per inch of A4.
const readingSide = 2_600;
const previewSide = 1_300;

/** A picture, upright by its metadata, in grey, at most as large as is read. */
export async function decodePicture(bytes: Buffer, { pixels }: RecognitionLimits): Promise<Raster> {
  const { width, height } = await sharp(bytes, { limitInputPixels: false }).metadata();
  if (width * height > pixels) throw new RecognitionError('too-large');
  const { data, info } = await sharp(bytes, { limitInputPixels: pixels, failOn: 'error' })
    .autoOrient()
    .flatten({ background: '#ffffff' })
    .resize(1.5 * readingSide, 1.5 * readingSide, { fit: 'inside', withoutEnlargement: true })
    .greyscale()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, pixels: data };
}

/** The text in a picture of a page, which may be photographed at an angle and lie on its side. */
export async function readPicture(
  picture: Raster,
  recogniser: TextRecogniser,
): Promise<RecognisedPage> {
  const straight = straighten(picture);
  const readTurned = async (turns: number, side: number) => {
    const view = turned(straight, turns, side);
    const raster = flatten(warp(picture, view.matrix, view.width, view.height));
    return { view, raster, words: await recogniser.recognise(raster, 'deu') };
  };
  let page = await readTurned(0, readingSide);
  if (!isReadable(page.words)) {
    const previews = [{ turns: 0, score: scoreOf((await readTurned(0, previewSide)).words) }];
    for (const turns of [1, 3, 2]) {
      previews.push({ turns, score: scoreOf((await readTurned(turns, previewSide)).words) });
    }
    const best = previews.reduce((a, b) => (b.score > a.score ? b : a));
    if (best.turns !== 0) page = await readTurned(best.turns, readingSide);
  }
  const { view, raster } = page;
  // The German data read English as well, though not always as surely.
  const again = isEnglish(page.words) && meanConfidence(page.words) < sureMean;
  const read = again ? await recogniser.recognise(raster, 'eng') : page.words;
  const words = read.filter(({ confidence }) => confidence >= minConfidence);
  return {
    width: view.width,
    height: view.height,
    words,
    tickBoxes: findTickBoxes(raster),
    text: textOf(words),
    picture: { width: picture.width, height: picture.height, fromPage: view.matrix },
  };
}

const sureMean = 0.9;

function meanConfidence(words: readonly Word[]): number {
  return words.reduce((sum, { confidence }) => sum + confidence, 0) / words.length;
}

const englishWords = /^(the|of|and|to|in|a|an|or|by|from|with|date|name|no)$/i;
const germanWords = /^(der|die|das|den|des|und|ein|eine|einen|im|von|mit|bei|auf|datum|nicht)$/i;

function isEnglish(words: readonly Word[]): boolean {
  const count = (known: RegExp) => words.filter(({ text }) => known.test(text)).length;
  return count(englishWords) > count(germanWords);
}

type View = { matrix: Matrix; width: number; height: number };

/** The page in the picture, without perspective and skew. */
function straighten(picture: Raster): View {
  const outline = findPageOutline(picture);
  const page: View = { matrix: identity, width: picture.width, height: picture.height };
  if (outline) {
    const [a, b, c, d] = outline;
    page.width = Math.max(length(a, b), length(d, c));
    page.height = Math.max(length(b, c), length(a, d));
    page.matrix = rectangleTo(page.width, page.height, outline);
  }
  const preview = turned(page, 0, previewSide);
  const skew = findSkew(flatten(warp(picture, preview.matrix, preview.width, preview.height)));
  return { ...page, matrix: multiply(page.matrix, rotation(skew, page.width, page.height)) };
}

function length(a: { x: number; y: number }, b: { x: number; y: number }): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

/** The page after a number of quarter turns, scaled to the length of its longer side. */
function turned({ matrix, width, height }: View, turns: number, side: number): View {
  const [turnedWidth, turnedHeight] = turns % 2 === 1 ? [height, width] : [width, height];
  const scale = side / Math.max(width, height);
  const turn = quarterTurns(turns, width, height);
  return {
    matrix: multiply(multiply(matrix, turn), scaling(1 / scale)),
    width: Math.max(1, Math.round(turnedWidth * scale)),
    height: Math.max(1, Math.round(turnedHeight * scale)),
  };
}

const minConfidence = 0.2;
const sureConfidence = 0.7;

function isSure({ text, confidence }: Word): boolean {
  return confidence >= sureConfidence && /[\p{L}\p{N}]{3}/u.test(text);
}

/** How many letters stand in words that are surely read. */
function scoreOf(words: readonly Word[]): number {
  return words.reduce((sum, word) => sum + (isSure(word) ? word.text.length : 0), 0);
}

function isReadable(words: readonly Word[]): boolean {
  const all = words.reduce((sum, { text }) => sum + text.length, 0);
  return all > 0 && scoreOf(words) / all > 0.5;
}
