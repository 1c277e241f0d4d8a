import { keptMonths } from "../../catalog/index.ts";
import type { Declaration } from "../../resources/index.ts";

/** What the operations do that belong to a service or a path. These have no declaration. */
const services: Readonly<Record<string, string>> = {
  data: "Rows and answers: pushes rows into datasets of the host, and answers queries over all datasets.",
  export:
    "Files with the rows of a query, or with the picture of an item or a dashboard. Large files are written by jobs.",
  dataexport: "Files with the rows of a query or an item. `export` does the same and more.",
  hierarchy: "The names and colours of a column's values.",
  job: "The queue of scheduled work: evaluations of alerts, messages, loads of copies and checks of plugins.",
  usage: `How much an organization was used: its viewers, and the number of views, questions, exports and model calls, over all hosts. The host keeps ${keptMonths} months.`,
  dataprovider:
    "The connectors and plugins of the host, and the datasets that a connection offers.",
  generate_descriptions:
    "Descriptions of datasets, columns and formulas that a model writes. The host stores none of them.",
  aichart: "Charts and questions about a dataset that a model proposes.",
  aiprompt:
    "Questions in plain language, which a model turns into queries. It belongs to a conversation.",
  iqformula: "Formulas and derived columns that a model writes.",
  iqmessage: "Questions in plain language, with an answer that arrives in parts.",
  aisummary: "Summaries of the answer of a query or of an item, in plain language.",
  session: "Sessions of the console, and sign-in by password, passkey and single sign-on.",
  webhooks: "Requests that the host sends to channels of the type `webhook`.",
  state: "Whether the process lives, and whether its parts work.",
};

/**
 * Returns what a resource, a service or another group of operations is.
 * @throws {Error} for a name without a description
 */
export function resourceDescription(
  name: string,
  declarations: ReadonlyMap<string, Declaration>,
): string {
  const found = declarations.get(name)?.description ?? services[name];
  if (found === undefined) throw new Error(`resourceDescription lacks ${name}`);
  return found;
}
