/** The failure of a call to a host, with the host's own message or the reason why the host could not be reached. */
export class HostError extends Error {
  override readonly name = "HostError";
  /** HTTP status; 0 if there was no response. */
  readonly status: number;
  readonly requestId: string | undefined;

  constructor(
    message: string,
    status: number,
    {
      requestId,
      cause,
    }: { readonly requestId?: string | undefined; readonly cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.status = status;
    this.requestId = requestId;
  }
}
