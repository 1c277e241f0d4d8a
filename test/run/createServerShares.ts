import type { SharedServers } from "../support/sharedServer.ts";
import type { LiveProcess } from "./readProcesses.ts";

type Name = keyof SharedServers;

type TimedProcess = Omit<LiveProcess, "groupId">;

/** The processes of a machine. */
export interface Seen {
  readonly processes: readonly TimedProcess[];
  /** Returns the command line of a process. */
  commandOf(pid: number): string;
}

/** Shares the processor time of servers among the files that use them. */
export interface ServerShares {
  begin(file: string): void;
  /** Notes that a file found a server, or opened a database of PostgreSQL. */
  use(file: string, name: Name, database?: string): void;
  end(file: string): void;
  /** Shares what the servers, children of the process `parentPid`, used since the last look. */
  look(parentPid: number, seen: Seen): void;
  /** Milliseconds by file. */
  readonly msByFile: ReadonlyMap<string, number>;
}

/** A session of PostgreSQL shows its database. */
const session = /^postgres: \S+ (test_\w+) /;

/**
 * Makes the shares. A session of PostgreSQL is a process, which names its database, and the database its file. The rest
 * of a server's time (threads of the others, the making of databases, sessions that end between two looks) is shared by
 * the files that used that server and ran meanwhile.
 */
export function createServerShares(): ServerShares {
  /** The file that opened a database last. */
  const filesByDatabase = new Map<string, string>();
  const users = new Map<string, Set<Name>>();
  const ended = new Set<string>();
  const msByFile = new Map<string, number>();
  /** The time that was seen last, of each tree of a server by its root, and of each process. */
  const seenMs = new Map<string, number>();
  const since = (key: string, ms: number, before: number) => {
    const passed = Math.max(0, ms - (seenMs.get(key) ?? before));
    seenMs.set(key, ms);
    return passed;
  };
  const add = (file: string, ms: number) => msByFile.set(file, (msByFile.get(file) ?? 0) + ms);

  const look: ServerShares["look"] = (parentPid, { processes, commandOf }) => {
    for (const root of processes.filter((each) => each.parentPid === parentPid)) {
      const tree = treeOf(root, processes);
      const commands = new Map(tree.map(({ pid }) => [pid, commandOf(pid)]));
      const name = nameOf([...commands.values()].join("\n"));
      if (!name) continue;
      const treeMs = tree.reduce((sum, { ownMs, endedMs }) => sum + ownMs + endedMs, 0);
      // The start of a server belongs to no file.
      let restMs = since(`tree ${root.pid}`, treeMs, treeMs);
      for (const { pid, ownMs } of tree) {
        const file = filesByDatabase.get(session.exec(commands.get(pid) ?? "")?.[1] ?? "");
        if (file === undefined) continue;
        const passedMs = since(`process ${pid}`, ownMs, 0);
        add(file, passedMs);
        restMs -= passedMs;
      }
      const sharing = [...users].filter(([, used]) => used.has(name));
      for (const [file] of sharing) add(file, Math.max(0, restMs) / sharing.length);
    }
    for (const file of ended) users.delete(file);
    ended.clear();
  };
  return {
    begin: (file) => void users.set(file, new Set()),
    use(file, name, database) {
      users.get(file)?.add(name);
      if (database !== undefined) filesByDatabase.set(database, file);
    },
    end: (file) => void ended.add(file),
    look,
    msByFile,
  };
}

function treeOf(root: TimedProcess, all: readonly TimedProcess[]): TimedProcess[] {
  const children = all.filter(({ parentPid }) => parentPid === root.pid);
  return [root, ...children.flatMap((child) => treeOf(child, all))];
}

/** Returns the server that a tree of processes is; undefined for the process of a file. */
function nameOf(commands: string): Name | undefined {
  if (commands.includes("fileProcess.ts")) return undefined;
  if (commands.includes("postgres")) return "postgres";
  if (commands.includes("mariadbd")) return "mariadb";
  return commands.includes("clickhouseProcess") ? "clickhouse" : undefined;
}
