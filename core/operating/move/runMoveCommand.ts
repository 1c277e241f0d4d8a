import { parseArgs } from "node:util";
import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { messageOf, readConfig } from "../../base/index.ts";
import { storeSlugs } from "../../sources/index.ts";
import { requestHost } from "../operator/index.ts";

/** The help of `manifold move`, one string per line. */
export const moveUsage = [
  "manifold move --to STORE   moves pushed datasets into the store of a running host; run it again to continue",
  "    STORE must be the MANIFOLD_STORE of that host; --data-dir names its folder",
] as const;

export interface MoveCommand {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly write: (line: string) => void;
}

const Left = Compile(
  Type.Object({
    store: Type.String(),
    left: Type.Array(
      Type.Object({ id: Type.String(), store: Type.String(), rowCount: Type.Integer() }),
    ),
  }),
);
const Answer = Compile(
  Type.Object({ moved: Type.Optional(Type.Object({ rowCount: Type.Integer() })) }),
);
const otherVersion =
  "the running host has another version; use the `manifold` command of that version";

/**
 * Runs `manifold move`. Returns the exit status, which is 1 if a dataset could not be moved.
 * @throws {Error} for an invalid argument, and if no host runs or the host writes to another store
 */
export async function runMoveCommand(
  args: readonly string[],
  { environment, write }: MoveCommand,
): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: { to: { type: "string" }, "data-dir": { type: "string" } },
  });
  const { to } = values;
  if (to === undefined) throw new Error("set the store: --to clickhouse, or --to strata");
  if (!storeSlugs.includes(to))
    throw new Error(`unknown store ${to}; the stores are ${storeSlugs.join(" and ")}`);
  const { dataDir } = readConfig({ dataDir: values["data-dir"] }, environment);
  const state = await request(dataDir, "moves");
  if (!Left.Check(state)) throw new Error(otherVersion);
  if (state.store !== to)
    throw new Error(
      `the host writes to ${state.store}; restart it with MANIFOLD_STORE=${to}, keep the settings of ${state.store}, and run the move again. Until a dataset is moved, queries read it from its old store`,
    );
  let failedCount = 0;
  for (const [index, { id, store, rowCount }] of state.left.entries()) {
    const progress = `${index + 1} of ${state.left.length}`;
    write(`${progress}  ${id}  copying ${rowCount} rows from ${store}`);
    try {
      const answer = await request(dataDir, "move", { id });
      if (!Answer.Check(answer)) throw new Error(otherVersion);
      const { moved } = answer;
      write(
        moved
          ? `${progress}  ${id}  moved and compared: ${moved.rowCount} rows`
          : `${progress}  ${id}  was already moved`,
      );
    } catch (failure) {
      failedCount++;
      write(`${progress}  ${id}  stays in ${store}: ${messageOf(failure)}`);
    }
  }
  write(
    failedCount === 0
      ? `all datasets are in ${to}`
      : `${failedCount} datasets could not be moved; fix the causes and run this again`,
  );
  return failedCount > 0 ? 1 : 0;
}

async function request(dataDir: string, name: string, input?: object): Promise<unknown> {
  const host = await requestHost(dataDir, name, input);
  if (!host)
    throw new Error(
      `no running host uses ${dataDir}; start the host, or name its data folder with --data-dir`,
    );
  await host.end();
  return host.answer;
}
