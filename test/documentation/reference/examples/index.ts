// One example for each action of each resource.
// May import: the examples, which the compiler compares with the calls of the client.
import type { Calls } from "../../../../core/web/client/index.ts";
import { appearanceExamples } from "./appearance.ts";
import { assistantExamples } from "./assistant.ts";
import { automationExamples } from "./automation.ts";
import { contentExamples } from "./content.ts";
import { dataExamples } from "./data.ts";
import type { ExamplesFor } from "./example.ts";
import { peopleExamples } from "./people.ts";
import { sharingExamples } from "./sharing.ts";

/** Every example by resource and action. A missing example is an error of the compiler. */
export const examples: ExamplesFor<keyof Calls> = {
  ...peopleExamples,
  ...dataExamples,
  ...contentExamples,
  ...sharingExamples,
  ...automationExamples,
  ...appearanceExamples,
  ...assistantExamples,
};
