import { textParameter } from "./parameters.ts";

/** Quotes an identifier: backslashes escape inside backticks as they do in texts. */
export function quote(identifier: string): string {
  return `\`${textParameter(identifier).replaceAll("`", "\\`")}\``;
}
