import type { SqlSession } from "../../plugins/sql/index.ts";

/** Rights to read data, or to see which objects exist. */
const reading = new Set(["USAGE", "SELECT", "SHOW VIEW", "SHOW DATABASES", "SHOW_ROUTINE"]);
/** Rights over the server, its files and its other users. */
const powerful =
  /^(?:ALL PRIVILEGES|SUPER|FILE|CREATE USER|GRANT OPTION|PROXY|SYSTEM_USER|SYSTEM_VARIABLES_ADMIN)$/;
const shownRights = 5;
const advice = "use a database user that has only SELECT on the tables that people should see";

/**
 * Returns the rights of a session's user that go beyond reading, as one sentence for each object on which rights are
 * granted. A sentence quotes only the rights and the object of a grant, because some servers include the password hash
 * in the grant.
 */
export async function roleWarnings(
  session: SqlSession,
  signal: AbortSignal,
): Promise<readonly string[]> {
  try {
    const grants: string[] = [];
    for await (const rows of session.rows({ text: "show grants", values: [] }, signal))
      for (const [line] of rows)
        grants.push(Buffer.isBuffer(line) ? line.toString("utf8") : String(line));
    return warningsOf(grants);
  } catch (failure) {
    signal.throwIfAborted();
    const reason = failure instanceof Error ? failure.message.slice(0, 100) : "no reason given";
    return [`the rights of the user could not be read (${reason}): ${advice}`];
  }
}

const mostWarnings = 20;

function warningsOf(grants: readonly string[]): readonly string[] {
  const found = new Set<string>();
  for (const grant of grants) {
    const [, user = ""] = / TO [`'"]?([^`'"@\s]+)/.exec(grant) ?? [];
    const who = `the user ${JSON.stringify(user)}`;
    const given =
      /^GRANT (.+?) ON (?:(?:TABLE|FUNCTION|PROCEDURE|PACKAGE(?: BODY)?) )?(.+?) TO /.exec(grant);
    if (!given) {
      const role = /^GRANT (\S+) TO /.exec(grant);
      // MySQL lists only the names of a user's roles; MariaDB also lists the rights of each role.
      if (role)
        found.add(`${who} has the role ${role[1]}, and with it all rights of that role; ${advice}`);
      continue;
    }
    const [, rights = "", object = ""] = given;
    const names = rights
      .replaceAll(/\s*\([^)]*\)/g, "")
      .split(/,\s*/)
      .concat(/ WITH .*GRANT OPTION/.test(grant) ? ["GRANT OPTION"] : [])
      .filter((name) => !reading.has(name));
    if (names.length === 0) continue;
    const power = names.filter((name) => powerful.test(name));
    const [first, what] =
      power.length > 0
        ? [power, "may change data, users or files of the server"]
        : [names, "may do more than read"];
    const shown = `${first.slice(0, shownRights).join(", ")}${names.length > shownRights ? ", …" : ""}`;
    found.add(`${who} ${what}: ${shown} on ${object.slice(0, 200)}; ${advice}`);
  }
  return [...found].slice(0, mostWarnings);
}
