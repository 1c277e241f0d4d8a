import * as assert from "uvu/assert";
import { suite } from "../support/suite.ts";
import { createServerShares } from "./createServerShares.ts";

const runnerPid = 1;

/** The processes of a PostgreSQL server, which its watchdog started and which has sessions, and of a MariaDB server. */
function createMachine() {
  const processes = [
    { pid: 10, parentPid: runnerPid, ownMs: 0, endedMs: 0, command: "sh postgres" },
    { pid: 11, parentPid: 10, ownMs: 0, endedMs: 0, command: "postgres -D data" },
    { pid: 12, parentPid: 11, ownMs: 0, endedMs: 0, command: "postgres: u test_ab [local] idle" },
    { pid: 13, parentPid: 11, ownMs: 0, endedMs: 0, command: "postgres: u test_cd [local] idle" },
    { pid: 14, parentPid: 11, ownMs: 0, endedMs: 0, command: "postgres: checkpointer" },
    { pid: 20, parentPid: runnerPid, ownMs: 0, endedMs: 0, command: "sh mariadbd" },
    { pid: 30, parentPid: runnerPid, ownMs: 0, endedMs: 0, command: "node fileProcess.ts" },
  ];
  const of = (pid: number) => processes.find((each) => each.pid === pid)!;
  return { processes, of, commandOf: (pid: number) => of(pid).command };
}

suite("test/run/createServerShares", (test) => {
  test("the processor time of a database session is charged to the test file that uses the database", () => {
    const machine = createMachine();
    machine.of(11).ownMs = 500;
    const shares = createServerShares();
    for (const [file, database] of [
      ["1.test.ts", "test_ab"],
      ["2.test.ts", "test_cd"],
    ] as const) {
      shares.begin(file);
      shares.use(file, "postgres", database);
    }
    shares.look(runnerPid, machine);
    machine.of(12).ownMs += 70;
    machine.of(13).ownMs += 20;
    machine.of(30).ownMs += 1000;
    shares.look(runnerPid, machine);
    assert.equal(
      [...shares.msByFile],
      [
        ["1.test.ts", 70],
        ["2.test.ts", 20],
      ],
    );
  });

  test("when another test file takes over a database, the database's later sessions are charged to that file", () => {
    const machine = createMachine();
    const shares = createServerShares();
    shares.begin("1.test.ts");
    shares.use("1.test.ts", "postgres", "test_ab");
    shares.look(runnerPid, machine);
    machine.of(12).ownMs += 70;
    shares.look(runnerPid, machine);
    shares.end("1.test.ts");
    shares.begin("2.test.ts");
    shares.use("2.test.ts", "postgres", "test_ab");
    machine.of(12).ownMs += 30;
    shares.look(runnerPid, machine);
    assert.is(shares.msByFile.get("1.test.ts"), 70);
    assert.is(shares.msByFile.get("2.test.ts"), 30);
  });

  test("a server's remaining processor time is divided among the running test files that use the server", () => {
    const machine = createMachine();
    const shares = createServerShares();
    shares.look(runnerPid, machine);
    for (const number of [1, 2, 3]) shares.begin(`${number}.test.ts`);
    for (const number of [1, 2]) shares.use(`${number}.test.ts`, "postgres");
    shares.use("3.test.ts", "mariadb");
    machine.of(14).ownMs += 40;
    // The session has ended, so its processor time is now part of the parent process's time.
    machine.of(11).endedMs += 20;
    machine.of(20).ownMs += 5;
    shares.look(runnerPid, machine);
    shares.end("1.test.ts");
    shares.look(runnerPid, machine);
    machine.of(14).ownMs += 10;
    shares.look(runnerPid, machine);
    assert.equal(
      [...shares.msByFile],
      [
        ["1.test.ts", 30],
        ["2.test.ts", 40],
        ["3.test.ts", 5],
      ],
    );
  });
});
