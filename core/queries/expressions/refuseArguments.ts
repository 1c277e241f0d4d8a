import { refuse, type Checking } from "./checked.ts";
import type { CallSyntax } from "./syntax.ts";

/** Rejects calls with too few or too many arguments. @throws {ExpressionError} EXPRESSION_ARGUMENTS */
export function refuseArguments(
  checking: Checking,
  syntax: CallSyntax,
  { name, parameters }: { readonly name: string; readonly parameters: readonly string[] },
): void {
  const count = syntax.args.length;
  const required = parameters.filter((parameter) => !/[?…]$/.test(parameter)).length;
  const most = parameters.some((parameter) => parameter.endsWith("…"))
    ? Infinity
    : parameters.length;
  if (count >= required && count <= most) return;
  const range = most === required ? "" : most === Infinity ? " or more" : ` to ${most}`;
  throw refuse(
    checking,
    "EXPRESSION_ARGUMENTS",
    syntax,
    `${required}${range} argument${most === 1 ? "" : "s"}: ${name}(${parameters.join(", ")})`,
    String(count),
  );
}
