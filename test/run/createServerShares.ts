import type { SharedServers } from "../support/sharedServer.ts";
import type { LiveProcess } from "./readProcesses.ts";

type Name = keyof SharedServers;

type TimedProcess = Omit<LiveProcess, "groupId">;

/** A snapshot of the running processes. */
export interface Seen {
  readonly processes: readonly TimedProcess[];
  /** Returns the command line of a process. */
  commandOf(pid: number): string;
}

/** Divides the processor time of servers among the test files that use them. */
export interface ServerShares {
  begin(file: string): void;
  /**
   * Records that a file uses a server. If `database` is given, records that the file has opened this PostgreSQL
   * database.
   */
  use(file: string, name: Name, database?: string): void;
  end(file: string): void;
  /**
   * Divides among the files the time that the servers have used since the last call. The servers are child processes of
   * `parentPid`.
   */
  look(parentPid: number, seen: Seen): void;
  /** Processor time in milliseconds, by file. */
  readonly msByFile: ReadonlyMap<string, number>;
}

/** Matches the title of a PostgreSQL session process, which contains the name of the database. */
const session = /^postgres: \S+ (test_\w+) /;

/**
 * Creates an account of the servers' processor time. Each PostgreSQL session is a process whose title names its
 * database, and the database identifies the test file. All other time is divided among the files that were running and
 * used the server. This other time is spent by threads of other servers, by creating databases, and by sessions that
 * end between two calls.
 */
export function createServerShares(): ServerShares {
  /** The file that last opened a database, keyed by database. */
  const filesByDatabase = new Map<string, string>();
  const users = new Map<string, Set<Name>>();
  const ended = new Set<string>();
  const msByFile = new Map<string, number>();
  /** Processor time at the last call, of each process, and of each server together with its child processes. */
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
      // The time that a server takes to start is not charged to any file.
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

/**
 * Returns the server to which a process tree belongs; undefined if it is the tree of a process that runs test files.
 */
function nameOf(commands: string): Name | undefined {
  if (commands.includes("fileProcess.ts")) return undefined;
  if (commands.includes("postgres")) return "postgres";
  if (commands.includes("mariadbd")) return "mariadb";
  return commands.includes("clickhouseProcess") ? "clickhouse" : undefined;
}
