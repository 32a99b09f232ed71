/** Lines of text as a PDF with a page for each list; with a password, nobody can read it without. */
export async function letter(
  pages: readonly (readonly string[])[],
  options: { userPassword?: string } = {},
): Promise<Buffer> {
  const { default: PDFDocument } = await import('pdfkit');
  const pdf = new PDFDocument({ size: 'A4', margin: 60, autoFirstPage: false, ...options });
  for (const lines of pages) {
    pdf.addPage().font('Helvetica', 14);
    for (const line of lines) pdf.text(line, { lineGap: 8 });
  }
  pdf.end();
  return Buffer.concat(await pdf.toArray());
}
