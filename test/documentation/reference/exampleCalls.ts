import { isObject } from "../../../core/base/index.ts";
import { areas } from "./areas.ts";
import { examples } from "./examples/index.ts";
import type { ExampleCall } from "./writeCall.ts";

/** Examples whose answer is text or a file. */
const texts = new Set(["dataexport create", "iqmessage create", "aisummary create"]);

/** Returns the examples of a resource in their order. */
export function exampleCallsOf(resource: keyof typeof examples): readonly ExampleCall[] {
  return Object.entries(examples[resource]).map(([action, members]: [string, unknown]) => ({
    resource,
    action,
    members: isObject(members) ? members : {},
    isText: texts.has(`${resource} ${action}`),
  }));
}

/** All examples in the order in which they run. */
export const exampleCalls: readonly ExampleCall[] = areas.flatMap(({ resources }) =>
  resources.flatMap(exampleCallsOf),
);
