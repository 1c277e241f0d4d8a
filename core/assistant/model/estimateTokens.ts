/** Assumed bytes per token. The value is lower than usual, so that estimates are too high rather than too low. */
const bytesPerToken = 3;

/** Estimates the number of tokens of data that is sent to a model or received from it. */
export function estimateTokens(value: unknown): number {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken);
}
