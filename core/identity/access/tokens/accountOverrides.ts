import { checkBaseUrl, isUuid, type AccountOverride, type Members } from "../../../base/index.ts";
import { invalid, readObject } from "./members.ts";

const overrideCount = 100;
const textLength = 10_000;
const texts = ["host", "user", "password", "database", "schema", "base_url"];

/**
 * Parses account overrides. For each account id they contain `{host, user, password, database, schema, base_url,
 * properties, datasets}`. For each dataset id, `datasets` contains the same members except `datasets`, and also
 * `table`.
 * @throws {ApiError} MEMBER_INVALID, MEMBER_UNKNOWN with the path of the member
 */
export function parseAccountOverrides(
  value: unknown,
  path = "properties.account_overrides",
): ReadonlyMap<string, AccountOverride> {
  const accounts = readById(value ?? {}, path).map(([id, override, at]) => {
    const given = readObject(override, at, [...texts, "properties", "datasets"]);
    checkOverride(given, at, texts);
    const { datasets: byId = {} } = given;
    const datasets = readById(byId, `${at}.datasets`).map(([key, each, inner]) => {
      const members = readObject(each, inner, [...texts, "table", "properties"]);
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
    if (!isUuid(id)) throw invalid(path, "must have ids (UUIDs) as members");
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
