export interface SendOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly file: Blob;
  readonly signal?: AbortSignal | undefined;
  /** Called with the number of bytes of `file` that the browser has sent. */
  onSent?(sentBytes: number): void;
}

/**
 * Posts a form. Unlike `fetch`, it reports how much of the file has been sent.
 * @throws {TypeError} if the connection is lost, or the signal aborts the call
 */
export function sendForm(
  path: string,
  form: FormData,
  { headers, file, signal, onSent }: SendOptions,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", path);
    request.responseType = "blob";
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    const abort = () => request.abort();
    const fail = () => reject(new TypeError("the call ended without an answer"));
    // The form around the file adds a few bytes, which the reader does not count.
    request.upload.onprogress = ({ loaded }) => onSent?.(Math.min(loaded, file.size));
    request.onload = () => {
      const { status, response } = request;
      const body: Blob | null = response instanceof Blob ? response : null;
      resolve(new Response(status === 204 ? null : body, { status }));
    };
    request.onerror = fail;
    request.onabort = fail;
    request.onloadend = () => signal?.removeEventListener("abort", abort);
    if (signal?.aborted === true) return fail();
    signal?.addEventListener("abort", abort);
    request.send(form);
  });
}
