import { textParameter } from "./parameters.ts";

/** Quotes an identifier. Inside backticks, backslashes are escape characters, as in strings. */
export function quote(identifier: string): string {
  return `\`${textParameter(identifier).replaceAll("`", "\\`")}\``;
}
