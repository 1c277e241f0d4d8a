import { PluginError } from "../../protocol/index.ts";
import type { XmlHandlers } from "./readXml.ts";
import type { UnpackBudget } from "./unpackBudget.ts";

/** Maximum total number of characters in all shared strings. */
const mostTextLength = 2 ** 27;
/** Minimum size of a decoded shared string in bytes. */
const textBytes = 48;

/** Collects the strings that the cells of a workbook share. */
export interface TextReader {
  readonly handlers: XmlHandlers;
  readonly texts: readonly string[];
}

/**
 * Creates a reader of the shared strings of a workbook. The runs of formatted strings are joined. Phonetic hints are
 * left out.
 * @throws {PluginError} PLUGIN_UNREADABLE, while reading, for more than 134,217,728 characters
 */
export function createTextReader(budget: UnpackBudget): TextReader {
  const texts: string[] = [];
  let [length, held, isText, phoneticDepth] = [0, "", false, 0];
  return {
    texts,
    handlers: {
      open(name) {
        if (name === "rPh") phoneticDepth++;
        if (name === "si") held = "";
        isText = name === "t" && phoneticDepth === 0;
      },
      text(text) {
        if (!isText) return;
        held += text;
        length += text.length;
        if (length > mostTextLength)
          throw new PluginError("PLUGIN_UNREADABLE", [
            `its shared strings have more than ${mostTextLength.toLocaleString("en")} characters; save it as CSV`,
          ]);
      },
      close(name) {
        if (name === "rPh") phoneticDepth--;
        if (name === "t") isText = false;
        if (name !== "si") return;
        budget.take(textBytes);
        texts.push(unescaped(held));
      },
    },
  };
}

/** Decodes the escapes of characters that XML does not allow, such as `_x000D_` (ECMA-376, part 1, 22.4.2.4). */
export function unescaped(text: string): string {
  return text.includes("_x") || text.includes("_X")
    ? text.replaceAll(/_x([0-9a-f]{4})_/gi, (_, code: string) =>
        String.fromCharCode(Number.parseInt(code, 16)),
      )
    : text;
}
