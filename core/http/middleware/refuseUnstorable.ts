import { setImmediate } from "node:timers/promises";
import { ApiError } from "../../base/index.ts";

/**
 * Refuses a body with a string that PostgreSQL cannot store, because it contains NUL or an unpaired surrogate. Yields
 * to the event loop from time to time. Rows of pushed data and filter values are not checked, because their stores
 * accept any string. O(values).
 * @throws {ApiError} REQUEST_TEXT_INVALID that names the member
 */
export async function refuseUnstorable(
  body: Readonly<Record<string, unknown>>,
  resource: string | undefined,
): Promise<void> {
  const isKept = (path: readonly (string | number)[]) =>
    resource === "data" &&
    ((path.length === 2 && path[0] === "properties" && path[1] === "data") ||
      (path[0] === "find" && path.at(-1) === "parameters"));
  let count = 0;
  for (const _ of walk(body, [], isKept)) if (++count % valuesATurn === 0) await setImmediate();
}

const valuesATurn = 10_000;

/** Checks a value and everything in it, and yields after each value. */
function* walk(
  value: unknown,
  path: (string | number)[],
  isKept: (path: readonly (string | number)[]) => boolean,
): Generator<void> {
  yield;
  if (typeof value === "string") check(value, path, "");
  if (typeof value !== "object" || value === null || isKept(path)) return;
  for (const [name, child] of Object.entries(value)) {
    check(name, path, " in the name of a member");
    path.push(Array.isArray(value) ? Number(name) : name);
    yield* walk(child, path, isKept);
    path.pop();
  }
}

function check(text: string, path: readonly (string | number)[], where: string): void {
  const what = text.includes("\u0000")
    ? "the character NUL (\\u0000)"
    : text.isWellFormed()
      ? undefined
      : "an unpaired surrogate (\\ud800 to \\udfff)";
  if (what) throw new ApiError("REQUEST_TEXT_INVALID", [pathText(path), what + where]);
}

function pathText(path: readonly (string | number)[]): string {
  const text = path
    .map((step) => (typeof step === "number" ? `[${step}]` : `.${step.slice(0, 100)}`))
    .join("");
  return text === "" ? "the body" : text.slice(1).toWellFormed();
}
