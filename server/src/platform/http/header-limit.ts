/** Of the request line and all headers of a request together. */
export const maxHeaderBytes = 16_384;
