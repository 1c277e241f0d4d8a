import { PluginError } from "../../../plugins/protocol/index.ts";
import type { Parameters } from "../parse/resolveParameter.ts";
import { parseInstant } from "../parse/parseInstant.ts";

/** The replacement for sensitive values. */
const hidden = "…";
/**
 * Minimum length of a value that is removed anywhere. Shorter values are removed only as whole words, because they also
 * occur inside other words.
 */
const wordLength = 4;

/**
 * Removes the values of sensitive parameters from a plugin's failure, which may repeat the filters that the plugin
 * received. If a value is removed, the causes of the failure are removed too. A failure without such values is returned
 * unchanged.
 */
export function hideSensitive(failure: unknown, parameters: Parameters | undefined): unknown {
  const texts = [...(parameters?.values() ?? [])]
    .filter(({ sensitive }) => sensitive)
    .flatMap(({ value }) => textsOf(value));
  if (texts.length === 0 || !(failure instanceof PluginError)) return failure;
  const patterns = texts
    .toSorted((one, other) => other.length - one.length)
    .map((text) => patternOf(text));
  const isShown = (error: unknown): boolean =>
    error instanceof Error &&
    (patterns.some((pattern) => `${error.message}\n${error.stack}`.search(pattern) >= 0) ||
      isShown(error.cause));
  if (!isShown(failure)) return failure;
  const clean = (text: string) =>
    patterns.reduce((rest, pattern) => rest.replaceAll(pattern, hidden), text);
  return new PluginError(
    failure.code,
    failure.details.map((detail) => clean(String(detail))),
  );
}

/** Lists the forms in which a value may occur in a plugin's message. */
function textsOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (typeof value !== "string" && typeof value !== "number") return [];
  const text = String(value);
  const instant = typeof value === "string" ? parseInstant(value) : Number.NaN;
  const written = [text, JSON.stringify(text).slice(1, -1), text.replaceAll("'", "''")];
  const known = Number.isNaN(instant) ? written : [...written, new Date(instant).toISOString()];
  return [...new Set(known)].filter((each) => each !== "");
}

function patternOf(text: string): RegExp {
  const literal = RegExp.escape(text);
  const isWord = text.length < wordLength;
  return new RegExp(isWord ? `(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])` : literal, "giu");
}
