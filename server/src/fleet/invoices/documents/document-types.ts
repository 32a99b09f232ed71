/** Types of documents (UNTDID 1001) that credit what they state. */
const creditNotes = setOf('81 83 261 262 296 308 381 396 420 458 532');

const invoices = setOf(`
  71 80 81 82 84 102 130 202 203 204 211 218 219 295 325 326 331 380 382 383 384 385 386 387 388 389 390 393 394 395 456 457
  471 472 473 500 501 502 503 527 553 575 623 633 751 780 817 870 875 876 877 935`);

/** Up to release 1.3.15 of the validation artefacts these are types of invoices; later ones allocate them to credit notes. */
const either = setOf('502 503');

/** The types that a document may have by the name of its root, as BR-CL-01 lists them. */
const typesOfRoots: Record<string, ReadonlySet<string>> = {
  Invoice: invoices,
  CreditNote: new Set([...creditNotes, ...either]),
  CrossIndustryInvoice: new Set([...invoices, ...creditNotes]),
};

export function isCreditNoteType(code: string | undefined): boolean {
  return code !== undefined && creditNotes.has(code);
}

export function isTypeOfRoot(code: string, rootName: string): boolean {
  return typesOfRoots[rootName]?.has(code) ?? false;
}

function setOf(codes: string): ReadonlySet<string> {
  return new Set(codes.trim().split(/\s+/));
}
