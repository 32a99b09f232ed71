/** A line of text on the page; `monospaced` keeps columns aligned. */
export type PdfLine = { text: string; size?: number; font?: 'plain' | 'bold' | 'monospaced' };

const fonts = { plain: 'Helvetica', bold: 'Helvetica-Bold', monospaced: 'Courier' };
const names = { plain: 'F1', bold: 'F2', monospaced: 'F3' };
const margin = 56;
const page = { width: 595, height: 842 };

/** One page of A4 with the lines from its top, in the fonts that every reader has. */
export function pdfPage(title: string, lines: readonly PdfLine[]): Buffer {
  let y = page.height - margin;
  const content = lines.map(({ text, size = 10, font = 'plain' }) => {
    y -= size * 1.5;
    return `BT /${names[font]} ${size} Tf ${margin} ${y} Td (${escaped(text)}) Tj ET`;
  });
  const stream = latin1(content.join('\n'));
  const fontObjects = Object.values(fonts).map(
    (name) => `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`,
  );
  return assemble([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${page.width} ${page.height}] ` +
      '/Contents 4 0 R /Resources << /Font << /F1 6 0 R /F2 7 0 R /F3 8 0 R >> >> >>',
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    `<< /Title (${latin1(escaped(title))}) /Producer (Motorpool) >>`,
    ...fontObjects,
  ]);
}

/** The objects, numbered from 1, and the table that says at which byte each begins. */
function assemble(objects: readonly string[]): Buffer {
  // The second line tells transports that the file is not plain text.
  let file = '%PDF-1.4\n%\xe2\xe3\xcf\xd3\n';
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`);
  const size = objects.length + 1;
  const xref = `xref\n0 ${size}\n0000000000 65535 f \n${rows.join('')}`;
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R /Info 5 0 R >>\n`;
  return Buffer.from(`${file}${xref}${trailer}startxref\n${file.length}\n%%EOF\n`, 'latin1');
}

function escaped(text: string): string {
  return text.replaceAll(/[\\()]/g, '\\$&');
}

/** Where the encoding of the fonts differs from Latin-1. */
const windows: Record<string, string> = {
  '€': '\x80',
  Š: '\x8a',
  š: '\x9a',
  '’': '\x92',
  '–': '\x96',
};

/** A string in which one character is one byte of the file. */
function latin1(text: string): string {
  return [...text].map((one) => windows[one] ?? (one <= 'ÿ' ? one : '?')).join('');
}
