import type { SqlSession } from "../../plugins/sql/index.ts";

/** Rights to read data, or to see which objects exist. */
const reading = /^(?:SELECT|SHOW(?: [A-Z ]+)?|dictGet|NONE)$/;
const shownRights = 5;
const mostWarnings = 20;
const advice = "use a database user that has only SELECT on the tables that people should see";

/**
 * Returns the rights of a session's user that go beyond reading, as one sentence for each object on which rights are
 * granted. Includes rights of roles if the server is new enough to list them.
 */
export async function roleWarnings(
  session: SqlSession,
  signal: AbortSignal,
): Promise<readonly string[]> {
  try {
    const grants = await read(session, "show grants final", signal).catch(() => {
      signal.throwIfAborted();
      return read(session, "show grants", signal);
    });
    return warningsOf(grants);
  } catch (failure) {
    signal.throwIfAborted();
    const reason = failure instanceof Error ? failure.message.slice(0, 100) : "no reason given";
    return [`the rights of the user could not be read (${reason}): ${advice}`];
  }
}

async function read(
  session: SqlSession,
  text: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const grants: string[] = [];
  for await (const rows of session.rows({ text, values: [] }, signal))
    for (const [line] of rows) grants.push(String(line));
  return grants;
}

function warningsOf(grants: readonly string[]): readonly string[] {
  const found = new Set<string>();
  for (const grant of grants) {
    const given = /^GRANT (.+?) ON (.+) TO (\S+)( WITH GRANT OPTION)?$/.exec(grant);
    if (!given) continue;
    const [, rights = "", object = "", user = "", isGranting] = given;
    const names = rights
      .replaceAll(/\([^)]*\)/g, "")
      .split(/,\s*/)
      .concat(isGranting === undefined ? [] : ["GRANT OPTION"])
      .filter((name) => !reading.test(name));
    if (names.length === 0) continue;
    const shown = `${names.slice(0, shownRights).join(", ")}${names.length > shownRights ? ", …" : ""}`;
    const who = `the user ${JSON.stringify(user.replaceAll("`", ""))}`;
    found.add(`${who} may do more than read: ${shown} on ${object.slice(0, 200)}; ${advice}`);
  }
  return [...found].slice(0, mostWarnings);
}
