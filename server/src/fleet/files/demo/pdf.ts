/** What stands on a page: lines of text, and tables of items and amounts. */
export type PdfBlock =
  | { text: string; size?: number; font?: 'Helvetica' | 'Helvetica-Bold' }
  | { table: [item: string, amount: string][] };

const margin = 56;

/** One page of A4 with the blocks from its top; the same bytes for the same input. */
export async function pdfPage(
  title: string,
  date: string,
  blocks: readonly PdfBlock[],
): Promise<Buffer> {
  // Loaded by the first start of a demo alone.
  const { default: PDFDocument } = await import('pdfkit');
  const document = new PDFDocument({
    size: 'A4',
    margin,
    info: { Title: title, Creator: 'Motorpool', CreationDate: new Date(date) },
  });
  for (const block of blocks) {
    if ('table' in block) {
      document.font('Helvetica', 10).table({
        data: block.table,
        columnStyles: ['*', { width: 100, align: { x: 'right', y: 'center' } }],
        defaultStyle: { align: { x: 'left', y: 'center' }, border: [0, 0, 0.5, 0], padding: 4 },
      });
    } else {
      const { text, size = 10, font = 'Helvetica' } = block;
      document.font(font, size).text(text, { lineGap: size / 4 });
    }
    document.x = margin;
  }
  document.end();
  return Buffer.concat(await document.toArray());
}
