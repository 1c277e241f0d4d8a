import type { Dialect } from "./dialect.ts";
import type { Statement } from "./driver.ts";
import type { Fragment } from "./fragment.ts";

/** Writes a fragment as a statement: a placeholder for each bound value. */
export function writeStatement(
  { parts }: Fragment,
  dialect: Pick<Dialect, "placeholder" | "driverValue">,
): Statement {
  const values: unknown[] = [];
  let text = "";
  for (const part of parts) {
    if (typeof part === "string") text += part;
    else {
      values.push(dialect.driverValue(part));
      text += dialect.placeholder(values.length, part);
    }
  }
  return { text, values };
}
