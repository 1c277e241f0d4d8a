const words = new Map<string, "true" | "false">([
  ["true", "true"],
  ["t", "true"],
  ["yes", "true"],
  ["y", "true"],
  ["1", "true"],
  ["false", "false"],
  ["f", "false"],
  ["no", "false"],
  ["n", "false"],
  ["0", "false"],
]);

/** Converts a boolean, or a word such as `TRUE`, `yes` or `1`, to `true` or `false`. Undefined for other values. */
export function readBoolean(value: unknown): "true" | "false" | undefined {
  return words.get(String(value).trim().toLowerCase());
}
