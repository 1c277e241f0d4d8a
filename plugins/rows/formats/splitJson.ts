import { parseExactJson, PluginError } from "../../protocol/index.ts";
import { mostRecordLength } from "./readCsv.ts";

/** Values of a JSON text, and the lines on which the values begin. */
export interface JsonBlock {
  readonly values: readonly unknown[];
  /** The line on which each value begins, counted from 1. */
  readonly lines: readonly number[];
}

/**
 * Reads the elements of a JSON array, or JSON lines, chunk by chunk. A file that should be an array may also contain
 * one object per line. Only one chunk and one value are in memory.
 * @throws {PluginError} PLUGIN_UNREADABLE for a value that is not JSON or is longer than 1,048,576 characters, for an
 * array that is not closed, or for text after the array; the message names the line
 */
export async function* splitJson(
  parts: AsyncIterable<string>,
  kind: "array" | "lines",
): AsyncGenerator<JsonBlock> {
  let splitter: ArraySplitter | LineSplitter | undefined =
    kind === "array" ? undefined : new LineSplitter();
  let start = "";
  for await (const next of parts) {
    let part = next;
    if (!splitter) {
      start += next;
      // Two lines decide.
      const isDecided = /^\s*[^\s{]/.test(start) || /\S[^\n]*\n\s*\S/.test(start);
      if (!isDecided && start.length < mostRecordLength) continue;
      splitter = splitterFor(start);
      part = start;
    }
    const block = splitter.add(part);
    if (block.values.length > 0) yield block;
  }
  if (!splitter) {
    splitter = splitterFor(start);
    const block = splitter.add(start);
    if (block.values.length > 0) yield block;
  }
  const block = splitter.end();
  if (block.values.length > 0) yield block;
}

/** Returns the splitter for a file that should be an array, given its first lines. */
function splitterFor(start: string): ArraySplitter | LineSplitter {
  const [first = "", second] = start.split("\n").filter((line) => line.trim() !== "");
  const isLines = first.trim().startsWith("{") && second?.trim().startsWith("{") === true;
  if (!isLines) return new ArraySplitter();
  try {
    parseExactJson(first);
    return new LineSplitter();
  } catch {
    return new ArraySplitter();
  }
}

function failed(line: number, what: string, options?: ErrorOptions): PluginError {
  return new PluginError("PLUGIN_UNREADABLE", [`line ${line} ${what}`], options);
}

const tooLong = `has a value of more than ${mostRecordLength.toLocaleString("en")} characters`;

function parsed(text: string, line: number): unknown {
  if (text.length > mostRecordLength) throw failed(line, tooLong);
  try {
    return parseExactJson(text);
  } catch (cause) {
    throw failed(line, "is not JSON; the file may be truncated", { cause });
  }
}

class LineSplitter {
  private rest = "";
  private line = 1;

  add(part: string): JsonBlock {
    const lines = (this.rest + part).split("\n");
    this.rest = lines.pop() ?? "";
    if (this.rest.length > mostRecordLength) throw failed(this.line + lines.length, tooLong);
    return this.read(lines);
  }

  end(): JsonBlock {
    return this.read([this.rest]);
  }

  private read(texts: readonly string[]): JsonBlock {
    const values: unknown[] = [];
    const lines: number[] = [];
    for (const text of texts) {
      if (text.trim() !== "") {
        values.push(parsed(text, this.line));
        lines.push(this.line);
      }
      this.line++;
    }
    return { values, lines };
  }
}

const notRows =
  "must begin an array of rows with [, or the file must have one object per line; if the rows are in a member of an " +
  "object, save that member as a file";

type SplitState = "start" | "element" | "after";

/** Splits an array at its top-level commas. `parseExactJson` then parses the elements. */
class ArraySplitter {
  private state: SplitState = "start";
  private held = "";
  private depth = 0;
  private isText = false;
  private isEscaped = false;
  private line = 1;
  private elementLine = 1;
  private isFirst = true;

  add(part: string): JsonBlock {
    const values: unknown[] = [];
    const lines: number[] = [];
    let from = 0;
    const take = (to: number, isEnd: boolean) => {
      const text = this.held + part.slice(from, to);
      this.held = "";
      from = to + 1;
      if (isEnd && this.isFirst && text.trim() === "") return;
      values.push(parsed(text, this.elementLine));
      lines.push(this.elementLine);
      this.isFirst = false;
    };
    for (let at = 0; at < part.length; at++) {
      const character = part[at]!;
      if (character === "\n") this.line++;
      if (this.state === "start" || this.state === "after") {
        if (/\s/.test(character)) continue;
        if (this.state === "after") throw failed(this.line, "has text after the end of the array");
        if (character !== "[") throw failed(this.line, notRows);
        this.state = "element";
        from = at + 1;
        this.elementLine = 0;
        continue;
      }
      if (this.elementLine === 0 && !/\s/.test(character)) this.elementLine = this.line;
      if (this.isText) {
        if (this.isEscaped) this.isEscaped = false;
        else if (character === "\\") this.isEscaped = true;
        else if (character === '"') this.isText = false;
      } else if (character === '"') this.isText = true;
      else if (character === "{" || character === "[") this.depth++;
      else if (character === "," && this.depth === 0) {
        take(at, false);
        this.elementLine = 0;
      } else if (character === "}" || (character === "]" && this.depth > 0)) this.depth--;
      else if (character === "]") {
        take(at, true);
        this.state = "after";
      }
    }
    if (this.state === "element") {
      this.held += part.slice(from);
      if (this.held.length > mostRecordLength) throw failed(this.elementLine || this.line, tooLong);
    }
    return { values, lines };
  }

  end(): JsonBlock {
    if (this.state === "start") throw failed(this.line, "ends before an array of rows begins");
    if (this.state === "element")
      throw failed(this.line, "ends before the array of rows does; the file is truncated");
    return { values: [], lines: [] };
  }
}
