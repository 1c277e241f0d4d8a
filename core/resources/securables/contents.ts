import { checkSize, limits } from "../kernel/index.ts";
import { asMap, isUuid } from "../../base/index.ts";

/** The expected type of a member of contents. Every member is optional. */
type Shape =
  | { readonly is: "a string" | "a number" | "true or false" | "an object" }
  | { readonly oneOf: readonly string[] }
  | { readonly each: Shape }
  | { readonly any: readonly Shape[] }
  | { readonly members: Readonly<Record<string, Shape>> };

const text: Shape = { is: "a string" };
const flag: Shape = { is: "true or false" };
const object: Shape = { is: "an object" };

const number: Shape = { is: "a number" };

/** Filter groups may be nested. Their depth is limited only by the depth limit of the body. */
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

/** The known members of a dashboard's contents. Other members are stored unchanged. */
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
    // A Terraform provider writes an object here, and expects to read it back.
    filters: { any: [{ each: object }, object] },
    timezone: { members: { type: text, id: text } },
  },
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => {
  const map = asMap(value);
  return typeof map === "object" && map !== null && !Array.isArray(map);
};

/** Returns the first problem in a value. O(size). */
function problemIn(value: unknown, shape: Shape, path: string): string | undefined {
  if ("each" in shape) {
    if (!Array.isArray(value)) return `${path} must be a list`;
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
      : `${path} must be one of ${shape.oneOf.join(", ")}`;
  if ("is" in shape) {
    const isRight = {
      "a string": typeof value === "string",
      "a number": typeof value === "number",
      "true or false": typeof value === "boolean",
      "an object": isObject(value),
    }[shape.is];
    return isRight ? undefined : `${path} must be ${shape.is}`;
  }
  if (!isObject(value)) return `${path} must be an object`;
  for (const [member, each] of Object.entries(shape.members)) {
    if (!Object.hasOwn(value, member)) continue;
    const found = problemIn(value[member], each, `${path}.${member}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns the problem with a dashboard's contents, as words that complete "must …"; undefined for valid contents. */
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
