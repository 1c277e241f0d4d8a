import { randomUUID } from "node:crypto";
import * as assert from "uvu/assert";
import { openRefusals, type Refusal } from "../../../../core/catalog/audit/index.ts";
import { suite } from "../../../support/suite.ts";

type Json = Readonly<Record<string, unknown>>;

suite("core/catalog/audit/openRefusals", (test) => {
  const open = () => {
    const written: Json[] = [];
    const failures: unknown[] = [];
    let minute: (() => void) | undefined;
    const insertMany = async (_resource: string, values: readonly Json[]) => {
      written.push(...values);
      return [];
    };
    const refusals = openRefusals({
      records: {
        insertMany,
        insert: async (_resource, values) => {
          written.push(values);
          return { id: "" } as never;
        },
      },
      log: { error: (details) => failures.push(details) },
      later(run) {
        minute = run;
        return () => undefined;
      },
    });
    return { ...refusals, written, failures, endMinute: () => minute?.() };
  };
  const refusal = (more: Partial<Refusal> = {}): Refusal => ({
    way: "pair",
    code: "UNAUTHORIZED",
    address: "192.0.2.1",
    ...more,
  });

  test("the audit writes the first refused call of a kind at once, and its repetitions as one row with their count", async () => {
    const { note, written, endMinute, close } = open();
    const recordId = randomUUID();
    for (let count = 0; count < 1_000; count++) note(refusal({ recordId }));
    note(refusal({ recordId, address: "192.0.2.2" }));
    assert.equal(
      written.map(({ times, address }) => [times, address]),
      [
        [1, "192.0.2.1"],
        [1, "192.0.2.2"],
      ],
    );
    endMinute();
    assert.equal(
      written.slice(2).map(({ times, record_id, address }) => [times, record_id, address]),
      [[999, recordId, "192.0.2.1"]],
    );
    note(refusal({ recordId }));
    assert.is(written.length, 4, "counting starts again with the next minute");
    await close();
    assert.is(written.length, 4);
  });

  test("a flood of different refused calls writes at most 121 audit rows per minute, and the rows count every call", async () => {
    const { note, written, close } = open();
    for (let count = 0; count < 20_000; count++)
      note(refusal({ recordId: randomUUID(), address: `198.51.100.${count % 250}` }));
    for (const { record_id, address } of written.slice(0, 60))
      note(refusal({ recordId: record_id, address: String(address) }));
    await close();
    assert.is(written.length, 121);
    assert.is(
      written.reduce((sum, { times }) => sum + Number(times), 0),
      20_060,
    );
    const [others] = written.filter(({ members }) => String(members) === "others");
    assert.equal(
      [others?.["times"], others?.["record_id"], others?.["address"]],
      [19_940, "", null],
    );
  });

  test("the audit never stores a string that a caller sent in place of a key", async () => {
    const { note, written, close } = open();
    note(refusal({ recordId: "my password" }));
    await close();
    assert.not.match(JSON.stringify(written), /password/);
    assert.is(written[0]?.["record_id"], "");
  });

  test("if the catalog is unavailable, refused calls are logged without delaying callers", async () => {
    const failures: unknown[] = [];
    const away = async () => {
      throw new Error("away");
    };
    const { note, close } = openRefusals({
      records: { insert: away, insertMany: away },
      log: { error: (details) => failures.push(details) },
      later: () => () => undefined,
    });
    note(refusal());
    note(refusal());
    await close();
    assert.is(failures.length, 2);
  });
});
