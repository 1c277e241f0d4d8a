import type { Cause, Finding } from "../report.ts";
import type { CheckedTarget } from "./checkedTarget.ts";
import { curlOf } from "./curlOf.ts";
import { differenceLines } from "./differenceLines.ts";

/** Number of examples to show if no known deviation explains the findings. These findings may have different causes. */
const mostExamples = 3;

/** Describes a cause in a sentence, such as "it starts weeks on Sunday". */
export function causeTitle({ does, isUnexplained }: Cause): string {
  return `it ${does}${isUnexplained ? ", and no known deviation explains it" : ""}`;
}

/** A finding, and the claim to which it belongs. */
export interface Example {
  readonly finding: Finding;
  /** Absent for a fault that belongs to no claim. */
  readonly claim?: string;
}

/** Returns the findings of a cause to show: one, or a few if no known deviation explains them. */
export function examplesOf({ isUnexplained, findings, claims }: Cause): readonly Example[] {
  const examples = findings.map((finding, at): Example => {
    const claim = claims.length === findings.length ? claims[at] : undefined;
    return { finding, ...(claim !== undefined && { claim }) };
  });
  return examples.slice(0, isUnexplained ? mostExamples : 1);
}

/** Describes an example: the first difference, and the request as a curl command. */
export function exampleLines({ finding }: Example, target: CheckedTarget): readonly string[] {
  const curl = curlOf(finding, target);
  return [...differenceLines(finding), ...(curl === undefined ? [] : curl.split("\n"))];
}
