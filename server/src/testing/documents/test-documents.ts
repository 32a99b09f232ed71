import { accidentStatement } from '../../fleet/incidents/demo/accident-statement.ts';
import { circumstances } from '../../fleet/incidents/recognition/circumstances.ts';
import type { SuggestedField } from '../../fleet/incidents/recognition/suggestions.ts';
import { instantIn } from '../../platform/time/time-zone.ts';
import { addNoise, jpegOf, photograph, renderPdf, rotate } from './photograph.ts';
import { testStatement } from './statements.ts';

/** How the printed form became a file, each with what makes it from the PDF. */
export const documentKinds = {
  'PDF with a text layer': async (pdf) => pdf,
  scan: async (pdf) => jpegOf(await renderPdf(pdf, 2_400)),
  'scan as a PDF': async (pdf) => pdfOf(await jpegOf(await renderPdf(pdf, 2_400))),
  'scan, askew': async (pdf, number) =>
    jpegOf(await rotate(await renderPdf(pdf, 2_400), number % 4 < 2 ? 4 + number / 10 : -6)),
  'scan, on its side or upside down': async (pdf, number) =>
    jpegOf(await rotate(await renderPdf(pdf, 2_400), [90, 180, 270][number % 3] ?? 90)),
  'scan, noisy': async (pdf, number) =>
    jpegOf(addNoise(await renderPdf(pdf, 2_000), 30, `noise ${number}`)),
  'photograph at an angle': async (pdf, number) =>
    jpegOf(await photograph(await renderPdf(pdf, 2_800), `photograph ${number}`)),
} satisfies Record<string, (pdf: Buffer, number: number) => Promise<Buffer>>;

export type DocumentKind = keyof typeof documentKinds;

export type TestDocument = {
  bytes: Buffer;
  language: 'de' | 'en';
  licensePlate: string;
  expected: Record<SuggestedField, string>;
};

export const testTimeZone = 'Europe/Berlin';

/** The same document for the same kind and number. */
export async function makeTestDocument(kind: DocumentKind, number: number): Promise<TestDocument> {
  const { statement, own: side, instant } = testStatement(number);
  const { language, place, a, b } = statement;
  const [own, other] = side === 'a' ? [a, b] : [b, a];
  const [date = '', time = ''] = instant.split('T');
  const [ours, theirs] =
    language === 'de' ? ['Eigenes Fahrzeug', 'Anderes Fahrzeug'] : ['Own vehicle', 'Other vehicle'];
  const textOf = (party: typeof own) =>
    party.circumstances.map((one) => circumstances[language][one - 1]).join('; ');
  return {
    bytes: await documentKinds[kind](await accidentStatement(statement), number),
    language,
    licensePlate: own.licensePlate,
    expected: {
      incidentTimestamp: instantIn(testTimeZone, date, time).toISOString(),
      location: place,
      licensePlate: own.licensePlate,
      cause: `${ours}: ${textOf(own)}. ${theirs}: ${textOf(other)}.`,
      description: own.remarks,
      driver: `${own.driverFirstName} ${own.driverName}`,
      opponent: [
        `${other.driverFirstName} ${other.driverName}`,
        other.licensePlate,
        other.insurer,
        other.policyNumber,
      ].join(', '),
    },
  };
}

/** A PDF whose only page is a picture. */
async function pdfOf(jpeg: Buffer): Promise<Buffer> {
  const { default: PDFDocument } = await import('pdfkit');
  const pdf = new PDFDocument({ size: 'A4', margin: 0 });
  pdf.image(jpeg, 0, 0, { fit: [595, 842] });
  pdf.end();
  return Buffer.concat(await pdf.toArray());
}
