import { isUuid, reference } from "../../base/index.ts";
import { checkSize, inspectValue, limits } from "../kernel/index.ts";
import { acceptedContents } from "./contentsSchemas.ts";

const accepted = { schemas: acceptedContents, isStrict: false };

/** Returns the problem with a dashboard's contents, as words that complete "must …"; undefined for valid contents. */
export function checkContents(contents: unknown): string | undefined {
  const problem = checkSize(contents, limits.jsonBytes);
  if (problem !== undefined) return problem;
  const schema = reference("DashboardContents");
  const [found] = inspectValue(contents, schema, "contents", accepted).take(1);
  return found && `be the definition of a dashboard: ${found.path} ${found.problem}`;
}

/** Returns the contents of a new dashboard: three empty views. */
export function emptyContents(): Record<string, unknown> {
  const view = (screenModus: string) => ({
    screenModus,
    options: { share: { poweredBy: false }, theme: { id: "default" }, alertingEnabled: false },
    filterGroups: [],
    items: [],
  });
  return {
    version: "0.1.99",
    syncScreenModes: true,
    datasetLinks: {},
    views: ["desktop", "tablet", "mobile"].map(view),
    parameters: [],
    timezone: { type: "fixed", id: "UTC" },
  };
}

const references = new Set(["dataset_id", "datasetId", "set"]);

/**
 * Returns the distinct ids of the datasets that contents use, either as a reference of an item or filter, or as a key
 * of `datasetLinks`.
 */
export function datasetsOf(contents: unknown): string[] {
  const found = new Set<string>();
  const walk = (value: unknown, name: string): void => {
    if (typeof value === "string") {
      if (references.has(name) && isUuid(value)) found.add(value.toLowerCase());
    } else if (Array.isArray(value)) for (const each of value) walk(each, name);
    else if (typeof value === "object" && value !== null)
      for (const [member, each] of Object.entries(value)) {
        if (name === "datasetLinks" && isUuid(member)) found.add(member.toLowerCase());
        walk(each, member);
      }
  };
  walk(contents, "");
  return [...found];
}
