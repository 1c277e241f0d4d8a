import Type, { type TSchema } from "typebox";
import {
  ApiError,
  asMap,
  isObject,
  isUuid,
  memberNames,
  type Principal,
  type Records,
  type Right,
  rights,
  type Row,
  type Members,
} from "../../../base/index.ts";
import { invalid, readEntries, readObject } from "./members.ts";

/** The records that a token may reach, by kind and id, each with the right of the token. */
export interface TokenReach {
  readonly collections: ReadonlyMap<string, Right>;
  readonly dashboards: ReadonlyMap<string, Right>;
  readonly datasets: ReadonlyMap<string, Right>;
}

const entryCount = 1_000;
/** The member that contains the right, for each kind of records. */
const rightMembers = {
  collections: "inheritRights",
  dashboards: "rights",
  datasets: "rights",
} as const;

const entriesOf = (kind: keyof typeof rightMembers, description: string): TSchema =>
  Type.Optional(
    Type.Union(
      [
        Type.Array(
          Type.Object(
            {
              id: Type.String({ format: "uuid", description: "Id of the record." }),
              [rightMembers[kind]]: Type.Optional(
                Type.Enum([...rights], {
                  type: "string",
                  description: "The right of the token. Absent: `read`.",
                }),
              ),
            },
            { additionalProperties: false },
          ),
          { maxItems: entryCount },
        ),
        Type.Null(),
      ],
      { description },
    ),
  );

/** The `access` of a token. */
export const TokenAccess = Type.Object(
  {
    collections: entriesOf(
      "collections",
      "Collections that the token reaches, with everything in them.",
    ),
    dashboards: entriesOf("dashboards", "Dashboards that the token reaches."),
    datasets: entriesOf("datasets", "Datasets that the token reaches."),
  },
  {
    additionalProperties: false,
    description: "The records that a token reaches, with its rights.",
  },
);

const kinds = memberNames(TokenAccess);

/**
 * Parses `{collections: [{id, inheritRights}], dashboards: [{id, rights}], datasets: [{id, rights}]}`. An omitted right
 * means *read*.
 * @throws {ApiError} MEMBER_INVALID, MEMBER_UNKNOWN with the path of the member
 */
export function parseTokenReach(value: unknown, path = "properties.access"): TokenReach {
  const given = readObject(value ?? {}, path, kinds);
  const read = (kind: (typeof kinds)[number]) => {
    const member = rightMembers[kind];
    const entries = readEntries(given[kind], `${path}.${kind}`, entryCount);
    return new Map(
      entries.map((entry, index) => {
        const at = `${path}.${kind}[${index}]`;
        if (!isObject(asMap(entry)))
          throw invalid(at, `must be an object such as {"id": "…", "${member}": "use"}`);
        const { id, [member]: right = "read" } = readObject(entry, at, ["id", member]);
        if (!isUuid(id)) throw invalid(`${at}.id`, "must be a UUID");
        const found = rights.find((each) => each === right);
        if (!found) throw invalid(`${at}.${member}`, `must be one of ${rights.join(", ")}`);
        return [id.toLowerCase(), found] as const;
      }),
    );
  };
  return {
    collections: read("collections"),
    dashboards: read("dashboards"),
    datasets: read("datasets"),
  };
}

/**
 * Refuses a token that would have more rights than its issuer.
 * @throws {ApiError} RECORD_NOT_FOUND for records that the issuer cannot see, FORBIDDEN for rights that the issuer
 * lacks
 */
export async function refuseBeyond(
  { collections, dashboards, datasets }: TokenReach,
  records: Records,
  issuer: Principal,
): Promise<void> {
  for (const [resource, kind, given] of [
    ["collection", "collection", collections],
    ["securable", "dashboard", dashboards],
    ["securable", "dataset", datasets],
  ] as const)
    for (const right of rights) {
      const ids = [...given].flatMap(([id, each]) => (each === right ? [id] : []));
      if (ids.length === 0) continue;
      const seen = await records.visible(resource, ids, "read", issuer);
      const held = right === "read" ? seen : await records.visible(resource, ids, right, issuer);
      for (const id of ids) {
        const row = seen.get(id);
        if (!row || !isOfKind(row, resource, kind))
          throw new ApiError("RECORD_NOT_FOUND", [kind, id]);
        if (!held.has(id)) throw new ApiError("FORBIDDEN", [`${right} the ${kind} ${id}`]);
      }
    }
}

function isOfKind(row: Row & Members<"type">, resource: string, kind: string): boolean {
  return resource !== "securable" || row.type === kind;
}
