/** Of the request line and all headers of a request together. */
export const maxHeaderBytes = 16_384;
/** However short they are: each costs Node far more than its bytes. */
export const maxHeaders = 200;
