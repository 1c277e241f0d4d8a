import type { Dialect } from "./dialect.ts";
import type { Statement } from "./driver.ts";
import type { Bound, Fragment } from "./fragment.ts";

/**
 * Writes a fragment as a statement, with a placeholder for each bound value. If the dialect can share parameters, a
 * repeated value becomes a single parameter.
 */
export function writeStatement(
  { parts }: Fragment,
  dialect: Pick<Dialect, "placeholder" | "driverValue" | "sharesParameters">,
): Statement {
  const values: unknown[] = [];
  const positions = new Map<Bound, number>();
  let text = "";
  for (const part of parts) {
    if (typeof part === "string") {
      text += part;
      continue;
    }
    const known = dialect.sharesParameters ? positions.get(part) : undefined;
    const position = known ?? values.push(dialect.driverValue(part));
    positions.set(part, position);
    text += dialect.placeholder(position, part);
  }
  return { text, values };
}
