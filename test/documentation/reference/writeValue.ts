import { isObject } from "../../../core/base/index.ts";

/** The languages in which examples write values. */
export type Notation = "json" | "ts" | "python";

const lineLength = 100;
const words: Readonly<Record<Notation, ReadonlyMap<unknown, string>>> = {
  json: new Map(),
  ts: new Map(),
  python: new Map<unknown, string>([
    [true, "True"],
    [false, "False"],
    [null, "None"],
  ]),
};

/** Stands for what an example leaves out. It is written as `…`. */
export const rest = Symbol("rest");

const keyOf = (name: string, notation: Notation) =>
  notation === "ts" && /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);

export interface Layout {
  readonly notation: Notation;
  /** The number of spaces before the lines of the value. @default 0 */
  readonly indent?: number;
  /** The number of characters before and after the value on its line. @default 0 */
  readonly taken?: number;
  /** Whether a line contains as many members as fit, instead of one. @default false */
  readonly isFilled?: boolean;
}

/** Writes a JSON value on one line if it fits, otherwise with its members on lines of their own. */
export function writeValue(value: unknown, layout: Layout): string {
  const { notation, indent = 0, taken = 0, isFilled = false } = layout;
  const line = onOneLine(value, notation);
  const isOpen = typeof value === "object" && value !== null && Object.keys(value).length > 0;
  if (!isOpen || indent + taken + line.length <= lineLength) return line;
  const step = notation === "python" ? 4 : 2;
  const inside = indent + step;
  const parts = partsOf(value).map(([name, each]) => {
    if (each === rest) return "…";
    const key = name === undefined ? "" : `${keyOf(name, notation)}: `;
    const inner = { notation, indent: inside, taken: key.length + 1, isFilled };
    return key + writeValue(each, inner);
  });
  const space = " ".repeat(inside);
  const lines = [""];
  for (const [index, part] of parts.entries()) {
    const text = part + (index < parts.length - 1 || notation !== "json" ? "," : "");
    const last = lines.at(-1) ?? "";
    const fits = isFilled && inside + last.length + 1 + text.length <= lineLength;
    const isPlain = !text.includes("\n") && !last.includes("\n");
    if (last === "") lines[lines.length - 1] = text;
    else if (fits && isPlain) lines[lines.length - 1] = `${last} ${text}`;
    else lines.push(text);
  }
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  return `${open}\n${lines.map((each) => `${space}${each}\n`).join("")}${" ".repeat(indent)}${close}`;
}

/** Returns the members of an object or a list. The name of an item of a list is undefined. */
function partsOf(value: unknown): (readonly [name: string | undefined, value: unknown])[] {
  if (Array.isArray(value)) return value.map((each: unknown) => [undefined, each] as const);
  return isObject(value) ? Object.entries(value).filter(([, each]) => each !== undefined) : [];
}

function onOneLine(value: unknown, notation: Notation): string {
  if (value === rest) return "…";
  if (Array.isArray(value)) return `[${value.map((each) => onOneLine(each, notation)).join(", ")}]`;
  if (!isObject(value)) return words[notation].get(value) ?? JSON.stringify(value);
  const members = partsOf(value).map(([name = "", each]) =>
    each === rest ? "…" : `${keyOf(name, notation)}: ${onOneLine(each, notation)}`,
  );
  if (members.length === 0) return "{}";
  const inner = members.join(", ");
  return notation === "ts" ? `{ ${inner} }` : `{${inner}}`;
}
