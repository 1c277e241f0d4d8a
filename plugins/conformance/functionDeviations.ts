import { applyFunction, type Value } from "../meanings/index.ts";
import type { FunctionName } from "../protocol/index.ts";
import type { Deviation } from "./deviation.ts";

type Compute = (args: readonly Value[]) => Value;

/** Creates a deviation in which some functions are computed differently. */
function deviation(
  does: string,
  functions: Readonly<Partial<Record<FunctionName, Compute>>>,
): Deviation {
  return {
    does,
    semantics: {
      applyFunction: (name, args) =>
        (functions[name] ?? ((given) => applyFunction(name, given)))(args),
    },
    concerns: (claim) => claim.kind === "function" && Object.hasOwn(functions, claim.function),
  };
}

/** Returns changes that apply the same change to each of several functions. */
function all<Name extends FunctionName>(
  names: readonly Name[],
  change: (name: Name) => Compute,
): Readonly<Partial<Record<FunctionName, Compute>>> {
  return Object.fromEntries(names.map((name) => [name, change(name)]));
}

const asciiCase = (text: string, isUpper: boolean) =>
  text.replace(/[A-Za-z]/g, (letter) => (isUpper ? letter.toUpperCase() : letter.toLowerCase()));

/** Known deviations in the functions of expressions. */
export const functionDeviations: readonly Deviation[] = [
  deviation("drops the fraction when it divides whole numbers", {
    divide: ([one = null, other = null]) => {
      const quotient = applyFunction("divide", [one, other]);
      const isWhole = Number.isInteger(one) && Number.isInteger(other);
      return isWhole && typeof quotient === "number" ? Math.trunc(quotient) : quotient;
    },
  }),
  deviation("rounds halves to even", {
    round: ([value = null, digits = null]) => {
      const rounded = applyFunction("round", [value, digits]);
      if (typeof value !== "number" || typeof digits !== "number") return rounded;
      const scale = 10 ** Math.trunc(digits);
      const scaled = value * scale;
      if (Math.abs(scaled % 1) !== 0.5) return rounded;
      return (2 * Math.round(scaled / 2)) / scale;
    },
  }),
  deviation("returns remainders with the sign of the divisor", {
    modulo: ([one = null, other = null]) => {
      const rest = applyFunction("modulo", [one, other]);
      if (typeof rest !== "number" || typeof other !== "number") return rest;
      return rest !== 0 && rest < 0 !== other < 0 ? rest + other : rest;
    },
  }),
  deviation("treats null as an empty string", {
    concat: (args) =>
      applyFunction(
        "concat",
        args.map((value) => value ?? ""),
      ),
  }),
  deviation("counts text in UTF-16 code units", {
    length: ([text = null]) => (typeof text === "string" ? text.length : null),
  }),
  deviation("changes the case of ASCII letters only", {
    lower: ([text = null]) => (typeof text === "string" ? asciiCase(text, false) : null),
    upper: ([text = null]) => (typeof text === "string" ? asciiCase(text, true) : null),
  }),
  deviation(
    "matches parts of text case-sensitively",
    all(["contains", "startsWith", "endsWith"], (name) => ([text = null, part = null]) => {
      if (typeof text !== "string" || typeof part !== "string") return false;
      if (name === "contains") return text.includes(part);
      return name === "startsWith" ? text.startsWith(part) : text.endsWith(part);
    }),
  ),
  deviation("reads percentages as whole numbers", {
    parseNumber: (args) => {
      const value = applyFunction("parseNumber", args);
      return typeof value === "number" && String(args[0]).includes("%") ? value * 100 : value;
    },
  }),
  deviation("reads every year of two digits as a year after 2000", {
    parseDate: ([text = null, format = null]) => {
      const instant = applyFunction("parseDate", [text, format]);
      if (typeof instant !== "number" || !String(format).includes("%y")) return instant;
      const date = new Date(instant);
      if (date.getUTCFullYear() < 2000) date.setUTCFullYear(date.getUTCFullYear() + 100);
      return date.getTime();
    },
  }),
  deviation("counts positions from 0", {
    position: (args) => {
      const at = applyFunction("position", args);
      return typeof at === "number" ? at - 1 : at;
    },
  }),
  deviation("numbers the days of the week from Sunday", {
    datePart: ([part = null, ...rest]) => {
      const value = applyFunction("datePart", [part, ...rest]);
      return part === "weekday" && typeof value === "number" ? (value % 7) + 1 : value;
    },
  }),
  deviation(
    "computes dates in UTC, whatever the time zone of the query",
    all(
      ["datePart", "dateTrunc", "dateAdd", "dateDiff", "dateOf", "formatDate"],
      (name) => (args) => applyFunction(name, [...args.slice(0, -1), "UTC"]),
    ),
  ),
];
