import type { Expression, Predicate } from "../../../engine/index.ts";
import type { Measure, PublicLink, PublicPart, PublicQuestion, Test } from "./publicPart.ts";

/** Returns the links that a question uses, each after the links on which it depends. */
export function joinsOf(question: PublicQuestion, { links }: PublicPart): readonly PublicLink[] {
  const used = new Set<string>();
  const use = (name: string | undefined): void => {
    if (name === undefined) return;
    const link = links.find((each) => each.name === name);
    if (!link) throw new Error(`${question.name}: there is no link ${name}`);
    use(link.left.join);
    used.add(name);
  };
  const expression = (of: Expression): void => {
    if (of.kind === "column") use(of.join);
    else if (of.kind === "period" || of.kind === "bin") expression(of.of);
    else if (of.kind === "call") of.of.forEach(expression);
    else if (of.kind === "case")
      for (const { when, then } of of.branches) {
        test(when);
        expression(then);
      }
  };
  const test = (of: Test | Predicate): void => {
    if (of.kind === "and" || of.kind === "or") of.of.forEach(test);
    else if (of.kind === "not") test(of.of);
    else {
      expression(of.left);
      if (of.kind === "columns") expression(of.right);
    }
  };
  const measure = (of: Measure | number): void => {
    if (typeof of === "number") return;
    if (of.kind === "formula") of.of.forEach(measure);
    else if (of.of) expression(of.of);
  };
  question.keys.forEach(expression);
  question.measures.forEach(measure);
  question.where?.forEach(test);
  return [...used].map((name) => links.find((each) => each.name === name)!);
}
