/** How much of the content has been sent. */
export type UploadProgress = { sentBytes: number; totalBytes: number };

type Upload = {
  url: URL;
  method: string;
  headers: Headers;
  body: Blob | ArrayBuffer | Uint8Array<ArrayBuffer>;
  signal: AbortSignal;
};

/** What is used of an XMLHttpRequest: its types are those of browsers alone. */
type Request = {
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  send(body: Upload['body']): void;
  abort(): void;
  getAllResponseHeaders(): string;
  responseType: string;
  response: ArrayBuffer | null;
  status: number;
  statusText: string;
  upload: { onprogress: ((event: { loaded: number; total: number }) => void) | null };
  onload: (() => void) | null;
  onerror: (() => void) | null;
  onabort: (() => void) | null;
  onloadend: (() => void) | null;
};

/** A fetch cannot tell how much it has sent, which an XMLHttpRequest can; there is none outside of browsers. */
export function requestWithProgress(): (new () => Request) | undefined {
  return (globalThis as { XMLHttpRequest?: new () => Request }).XMLHttpRequest;
}

export function uploadWithProgress(
  request: Request,
  { url, method, headers, body, signal }: Upload,
  onProgress: (progress: UploadProgress) => void,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const abort = () => request.abort();
    request.open(method, url.href);
    for (const [name, value] of headers) request.setRequestHeader(name, value);
    request.responseType = 'arraybuffer';
    request.upload.onprogress = ({ loaded, total }) =>
      onProgress({ sentBytes: loaded, totalBytes: total });
    request.onload = () => resolve(responseOf(request));
    request.onerror = () => reject(new TypeError('The upload failed'));
    request.onabort = () => reject(signal.reason);
    request.onloadend = () => signal.removeEventListener('abort', abort);
    signal.addEventListener('abort', abort);
    request.send(body);
  });
}

function responseOf(request: Request): Response {
  const headers = request
    .getAllResponseHeaders()
    .split('\r\n')
    .filter((line) => line !== '')
    .map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).trim()];
    });
  const { status, statusText, response } = request;
  const hasBody = status !== 204 && status !== 205 && status !== 304;
  return new Response(hasBody ? response : null, { status, statusText, headers });
}
