import type { WireAnswer } from "./sendRequest.ts";
import { parsed } from "./parsed.ts";

/** Minimum length of a secret that the kit looks for. Shorter secrets occur in ordinary words. */
export const leastSecretLength = 8;
/** Number of characters to show on both sides of a secret. */
const contextLength = 30;

/** A value that must not appear in answers. */
export interface NamedSecret {
  /** Name of the value, such as "the secret" or "the token". */
  readonly name: string;
  readonly value: string;
  /** Id of the credential that contains the value. Absent for the secret of the plugin. */
  readonly id?: string;
}

/** A secret that an answer contains, and its place in the answer. */
export interface FoundSecret {
  readonly secret: NamedSecret;
  /** The place of the secret in the answer, such as `message` or `header location`. */
  readonly place: string;
  /** The text around the secret, with every secret masked. */
  readonly shown: string;
}

/**
 * Finds the first secret that an answer contains as a whole word, in a header, in a member of its JSON body, or in
 * another body. Secrets shorter than `leastSecretLength` are not looked for.
 */
export function findSecret(
  { headers, body }: WireAnswer,
  secrets: readonly NamedSecret[],
): FoundSecret | undefined {
  const long = secrets.filter(({ value }) => value.length >= leastSecretLength);
  const value = parsed(body);
  const texts = [
    ...Object.entries(headers).map(([name, text]) => [`header ${name}`, String(text)] as const),
    ...(value === undefined ? [["the body", body] as const] : textsOf(value, "")),
  ];
  for (const secret of long)
    for (const [place, text] of texts) {
      const found = patternOf(secret.value).exec(text);
      if (found) return { secret, place, shown: shownAround(text, found, long) };
    }
  return undefined;
}

/** Lists the strings of a JSON value, with the path of each. The names of members are also listed. */
function textsOf(value: unknown, path: string): readonly (readonly [string, string])[] {
  if (typeof value === "string") return [[path || "the body", value]];
  if (Array.isArray(value)) return value.flatMap((item, at) => textsOf(item, `${path}[${at}]`));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const own = path ? `${path}.${name}` : name;
    return [[path || "the body", name] as const, ...textsOf(member, own)];
  });
}

/** Matches a secret that is a whole word, either unchanged or encoded for a URL. */
function patternOf(secret: string): RegExp {
  const forms = [...new Set([secret, encodeURIComponent(secret)])].map((form) =>
    RegExp.escape(form),
  );
  return new RegExp(`(?<![\\p{L}\\p{N}_])(?:${forms.join("|")})(?![\\p{L}\\p{N}_])`, "u");
}

function shownAround(
  text: string,
  { index, 0: found }: RegExpExecArray,
  secrets: readonly NamedSecret[],
): string {
  const from = Math.max(0, index - contextLength);
  const to = index + found.length + contextLength;
  // Masking comes first, so that the cut cannot leave a part of another secret.
  const mask = (part: string) =>
    secrets.reduce(
      (masked, { name, value }) =>
        masked.replaceAll(new RegExp(patternOf(value), "gu"), `‹${name}›`),
      part,
    );
  const before = mask(text.slice(0, index)).slice(-contextLength);
  const after = mask(text.slice(index + found.length)).slice(0, contextLength);
  const name = secrets.find(({ value }) => patternOf(value).test(found))?.name ?? "the secret";
  return `${from > 0 ? "…" : ""}${before}‹${name}›${after}${to < text.length ? "…" : ""}`;
}
