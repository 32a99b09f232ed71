/** Those that a browser shows as a picture alone, also in a tab of its own. */
const shownTypes = /^image\/(png|jpeg|gif|webp|avif|bmp)$/;

/**
 * The bytes of a picture. The uploader has said of which type they are, and the address that the console gives them is one of
 * its own: as a document, they could show anything there.
 */
export function pictureBlob(bytes: Blob): Blob {
  return shownTypes.test(bytes.type) ? bytes : new Blob([bytes]);
}
