/** Why a host did not answer: what it said, or that it could not be reached. */
export class HostError extends Error {
  override readonly name = "HostError";
  /** 0 where there was no answer. */
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
