import * as assert from "uvu/assert";
import type { Api } from "../../../../../../../core/web/console/api/index.ts";
import { noFilter } from "../../../../../../../core/web/console/pages/access/audit/auditEvent.ts";
import {
  exportEvents,
  mostEvents,
  writeCsv,
} from "../../../../../../../core/web/console/pages/access/audit/exportEvents.ts";
import { suite } from "../../../../../../support/suite.ts";

const at = "2026-03-04T05:06:07.000Z";
const event = {
  id: "e",
  created_at: at,
  user_id: "u",
  authorization_id: "k",
  request_id: null,
  address: "203.0.113.9",
  action: "update",
  resource: "user",
  record_id: "r",
  members: ["name", "email"],
  target: null,
  who: "Ada",
};

/** Returns an API with the given number of events. `requested` lists the conditions of each requested page. */
function apiOf(count: number) {
  const requested: unknown[] = [];
  const get = (resource: string, find: Record<string, unknown>) => {
    if (resource === "user")
      return Promise.resolve({ count: 1, rows: [{ id: "u", name: "Ada", email: "" }] });
    const { and } = find["where"] as { and: readonly { or?: readonly object[] }[] };
    const last = and[1]?.or?.[1] as { id: { gt: string } } | undefined;
    const from = last ? Number(last.id.gt) + 1 : 0;
    requested.push(and);
    const length = Math.min(Number(find["limit"]), count - from);
    const rows = Array.from({ length }, (_, index) => ({ ...event, id: String(from + index) }));
    return Promise.resolve({ count: count - from, rows });
  };
  return { api: { get } as unknown as Api, requested };
}

suite("core/web/console/pages/access/audit/exportEvents", (test) => {
  test("the CSV export quotes cells with quotes, commas and line breaks, and escapes formulas", () => {
    const csv = writeCsv([
      { ...event, who: '=cmd|" /C calc"!A0', record_id: 'a "b", c\nd' },
      { ...event, target: { role: "Users", resource: "user", id: "x" } },
    ]);
    assert.equal(csv.split("\r\n"), [
      "created_at,who,user_id,authorization_id,action,resource,record_id,members,target,request_id,address",
      `${at},"'=cmd|"" /C calc""!A0",u,k,update,user,"a ""b"", c\nd",name email,,,203.0.113.9`,
      `${at},Ada,u,k,update,user,r,name email,"{""role"":""Users"",""resource"":""user"",""id"":""x""}",,203.0.113.9`,
      "",
    ]);
  });

  test("formulas with full-width signs or leading blanks are escaped for spreadsheets", () => {
    for (const who of ["＝1", "＋1", "－1", "＠a", "﹦1", " =1", "\u200b=1", "\t=1", "\n=1"]) {
      const [, line = ""] = writeCsv([{ ...event, who }]).split("\r\n");
      assert.ok(line.startsWith(`${at},'`) || line.startsWith(`${at},"'`), line);
    }
  });

  test("events are read page by page, and each is written to the file once", async () => {
    const { api, requested } = apiOf(4_500);
    const progress: unknown[] = [];
    const { signal } = new AbortController();
    const { file, isCut } = await exportEvents(api, noFilter, "json", signal, (...told) =>
      progress.push(told),
    );
    const events = JSON.parse(await file.text()) as readonly { readonly id: string }[];
    assert.is(new Set(events.map(({ id }) => id)).size, 4_500);
    assert.is(events.length, 4_500);
    assert.is(isCut, false);
    assert.equal(progress, [
      [2_000, 4_500],
      [4_000, 4_500],
      [4_500, 4_500],
    ]);
    assert.equal(requested.length, 3);
  });

  test("a file contains at most 100,000 events, and says whether older events are missing", async () => {
    const { api } = apiOf(mostEvents + 1);
    const { signal } = new AbortController();
    const { file, isCut } = await exportEvents(api, noFilter, "csv", signal, () => undefined);
    assert.is(isCut, true);
    assert.is((await file.text()).split("\r\n").length, mostEvents + 2);
  });
});
