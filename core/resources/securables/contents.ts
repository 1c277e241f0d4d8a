import { checkSize, limits } from "../kernel/index.ts";
import { asMap, isUuid } from "../../base/index.ts";

/** The shape of a member of contents; each member is optional. */
type Shape =
  | { readonly is: "a text" | "a number" | "true or false" | "an object" }
  | { readonly oneOf: readonly string[] }
  | { readonly each: Shape }
  | { readonly any: readonly Shape[] }
  | { readonly members: Readonly<Record<string, Shape>> };

const text: Shape = { is: "a text" };
const flag: Shape = { is: "true or false" };
const object: Shape = { is: "an object" };

const number: Shape = { is: "a number" };

/** Filter groups may be nested; the depth limit of a call's body bounds them. */
const filterGroup: Shape = {
  members: {
    condition: { oneOf: ["and", "or"] },
    filters: { each: object },
    get subGroups(): Shape {
      return { each: filterGroup };
    },
  },
};

const item: Shape = {
  members: {
    type: text,
    position: { members: { sizeX: number, sizeY: number, row: number, col: number } },
    slots: { each: { members: { name: text, content: { each: object } } } },
  },
};

/** The known members of a dashboard's contents; other members are kept as sent. */
const known: Shape = {
  members: {
    version: text,
    syncScreenModes: flag,
    datasetLinks: object,
    views: {
      each: {
        members: {
          screenModus: { oneOf: ["desktop", "tablet", "mobile", "largeScreen", "fixed"] },
          options: {
            members: {
              share: { members: { poweredBy: flag, showBackground: flag } },
              theme: { members: { id: text } },
              alertingEnabled: flag,
            },
          },
          filterGroups: { each: filterGroup },
          items: { each: item },
        },
      },
    },
    parameters: { each: object },
    filterGroups: { each: filterGroup },
    // A provider of Terraform writes an object, and reads it back.
    filters: { any: [{ each: object }, object] },
    timezone: { members: { type: text, id: text } },
  },
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => {
  const map = asMap(value);
  return typeof map === "object" && map !== null && !Array.isArray(map);
};

/** The first member that is not of its shape. O(size), and it ends there. */
function problemIn(value: unknown, shape: Shape, path: string): string | undefined {
  if ("each" in shape) {
    if (!Array.isArray(value)) return `${path} is not a list`;
    for (let index = 0; index < value.length; index++) {
      const found = problemIn(value[index], shape.each, `${path}[${index}]`);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if ("any" in shape) {
    const problems = shape.any.map((each) => problemIn(value, each, path));
    return problems.includes(undefined) ? undefined : problems[0];
  }
  if ("oneOf" in shape)
    return typeof value === "string" && shape.oneOf.includes(value)
      ? undefined
      : `${path} is not one of ${shape.oneOf.join(", ")}`;
  if ("is" in shape) {
    const isRight = {
      "a text": typeof value === "string",
      "a number": typeof value === "number",
      "true or false": typeof value === "boolean",
      "an object": isObject(value),
    }[shape.is];
    return isRight ? undefined : `${path} is not ${shape.is}`;
  }
  if (!isObject(value)) return `${path} is not an object`;
  for (const [member, each] of Object.entries(shape.members)) {
    if (!Object.hasOwn(value, member)) continue;
    const found = problemIn(value[member], each, `${path}.${member}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns what is wrong with a dashboard's contents, as a text that completes "must …"; undefined when all is good. */
export function checkContents(contents: unknown): string | undefined {
  const problem = checkSize(contents, limits.jsonBytes);
  if (problem !== undefined) return problem;
  const found = problemIn(contents, known, "contents");
  return found && `be the definition of a dashboard: ${found}`;
}

/** Returns the contents of a new dashboard: three empty views. */
export function emptyContents(): Record<string, unknown> {
  const view = (screenModus: string) => ({ screenModus, options: {}, filterGroups: [], items: [] });
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
 * The ids of the datasets that contents name, each once: as a reference of an item or filter, or as a key of
 * `datasetLinks`.
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
