/** Bytes per token. Lower than usual, so that a budget errs on the safe side. */
const bytesPerToken = 3;

/** Estimates the tokens of data that is sent to a model or comes from it. */
export function estimateTokens(value: unknown): number {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken);
}
