/**
 * Compares an answer with the form in which a page shows it. Returns the first difference, or undefined. A string in
 * angle brackets stands for any value, but for the same value wherever the page shows it; `bound` contains these
 * values. The string `…` stands for any value, and the member `…` for any other members.
 */
export function matchAnswer(
  shown: unknown,
  answer: unknown,
  bound: Map<string, unknown>,
  path = "answer",
): string | undefined {
  if (shown === "…") return answer === undefined ? `${path} is missing` : undefined;
  if (typeof shown === "string" && /^<[^<>]+>$/.test(shown)) {
    if (answer === undefined || answer === null) return `${path} has no value`;
    if (!bound.has(shown)) bound.set(shown, answer);
    return bound.get(shown) === answer
      ? undefined
      : `${path}: ${shown} is ${String(bound.get(shown))} elsewhere, not ${String(answer)}`;
  }
  if (Array.isArray(shown)) {
    if (!Array.isArray(answer) || answer.length !== shown.length)
      return `${path} is ${JSON.stringify(answer)}, not a list of ${shown.length}`;
    return shown
      .map((each, index) => matchAnswer(each, answer[index], bound, `${path}[${index}]`))
      .find((each) => each !== undefined);
  }
  if (typeof shown === "object" && shown !== null) {
    if (typeof answer !== "object" || answer === null || Array.isArray(answer))
      return `${path} is ${JSON.stringify(answer)}, not an object`;
    const { "…": rest, ...members } = shown as Readonly<Record<string, unknown>>;
    const values: Readonly<Record<string, unknown>> = { ...answer };
    const hidden = Object.keys(values).filter((name) => !Object.hasOwn(members, name));
    if (rest === undefined && hidden.length > 0)
      return `${path} also has ${hidden.map((name) => `${name}: ${JSON.stringify(values[name])}`).join(", ")}`;
    return Object.entries(members)
      .map(([name, each]) => matchAnswer(each, values[name], bound, `${path}.${name}`))
      .find((each) => each !== undefined);
  }
  return shown === answer
    ? undefined
    : `${path} is ${JSON.stringify(answer)}, not ${JSON.stringify(shown)}`;
}
