import Type from "typebox";
import {
  checkBaseUrl,
  isUuid,
  memberNames,
  type AccountOverride as Override,
  type Members,
  reference,
} from "../../../base/index.ts";
import { invalid, readObject } from "./members.ts";

const overrideCount = 100;
const textLength = 10_000;
const Text = (description: string) =>
  Type.Optional(Type.String({ maxLength: textLength, description }));
const connection = {
  host: Text("Another server name or IP address."),
  user: Text("Another user of the source."),
  password: Text("Password of the user at the source. Responses never show it."),
  database: Text("Another database."),
  schema: Text("Another schema."),
  base_url: Text("Another URL of the plugin, without a slash at the end."),
};
const properties = Type.Optional(
  Type.Record(Type.String(), Type.String({ maxLength: textLength }), {
    description: "Other values of properties that the plugin declares, by the id of the property.",
  }),
);

/** The connection members that an override replaces for one dataset of an account. */
export const DatasetOverride = Type.Object(
  { ...connection, table: Text("Another table with the same columns."), properties },
  { additionalProperties: false, description: "Other connection members for one dataset." },
);

/** A value of `account_overrides`. */
export const AccountOverride = Type.Object(
  {
    ...connection,
    properties,
    datasets: Type.Optional(
      Type.Record(Type.String(), reference("DatasetOverride"), {
        description: "Members that differ for single datasets, by dataset id.",
      }),
    ),
  },
  { additionalProperties: false, description: "Other connection members for one account." },
);

const texts = Object.keys(connection);
const accountMembers: readonly string[] = memberNames(AccountOverride);
const datasetMembers: readonly string[] = memberNames(DatasetOverride);

/**
 * Parses account overrides: an object `{host, user, password, database, schema, base_url, properties, datasets}` for
 * each account id. `datasets` contains, for each dataset id, an object with the same members except `datasets`, and
 * with `table`.
 * @throws {ApiError} MEMBER_INVALID, MEMBER_UNKNOWN with the path of the member
 */
export function parseAccountOverrides(
  value: unknown,
  path = "properties.account_overrides",
): ReadonlyMap<string, Override> {
  const accounts = readById(value ?? {}, path).map(([id, override, at]) => {
    const given = readObject(override, at, accountMembers);
    checkOverride(given, at, texts);
    const { datasets: byId = {} } = given;
    const datasets = readById(byId, `${at}.datasets`).map(([key, each, inner]) => {
      const members = readObject(each, inner, datasetMembers);
      checkOverride(members, inner, [...texts, "table"]);
      return [key, members] as const;
    });
    const whole = { ...given, datasets: Object.fromEntries(datasets) };
    return [id, whole] as const;
  });
  return new Map(accounts);
}

function readById(value: unknown, path: string): (readonly [string, unknown, string])[] {
  const entries = Object.entries(readObject(value, path));
  if (entries.length > overrideCount)
    throw invalid(path, `must have at most ${overrideCount} entries`);
  return entries.map(([id, each]) => {
    if (!isUuid(id)) throw invalid(path, "must be an object whose member names are ids (UUIDs)");
    return [id.toLowerCase(), each, `${path}.${id}`];
  });
}

function checkOverride(given: Members, path: string, members: readonly string[]): void {
  const { properties = {}, base_url } = given;
  const custom = Object.entries(readObject(properties, `${path}.properties`));
  const named = members.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]]));
  for (const [name, value] of [...named, ...custom])
    if (typeof value !== "string" || value.length > textLength)
      throw invalid(
        `${path}.${String(name).slice(0, 100)}`,
        `must be a string of at most ${textLength} characters`,
      );
  const complaint = base_url === undefined ? undefined : checkBaseUrl(base_url);
  if (complaint !== undefined) throw invalid(`${path}.base_url`, `must ${complaint}`);
}
