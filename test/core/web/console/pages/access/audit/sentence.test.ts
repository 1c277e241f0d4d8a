import * as assert from "uvu/assert";
import type { AuditEvent } from "../../../../../../../core/web/console/pages/access/audit/auditEvent.ts";
import { partsOf } from "../../../../../../../core/web/console/pages/access/audit/sentence.ts";
import type { Subject } from "../../../../../../../core/web/console/pages/access/audit/told.ts";
import { suite } from "../../../../../../support/suite.ts";

const names: Readonly<Record<string, Subject>> = {
  "securable 1": {
    noun: { named: "dashboard", some: "a dashboard" },
    name: "Sales",
    address: "/dashboards/1",
  },
  "group 2": { noun: { named: "group", some: "a group" }, name: "Analysts" },
  "user 3": { noun: { named: "", some: "a person" }, name: "Ada" },
  "channel 4": { noun: { named: "channel", some: "a channel" }, name: "Desk" },
};
const subjects = {
  of: (resource: string, id: string): Subject =>
    names[`${resource} ${id}`] ?? { noun: { named: resource, some: `a ${resource}` } },
};
const tell = (event: Partial<AuditEvent>): string =>
  partsOf(
    {
      id: "e",
      created_at: "",
      user_id: "3",
      authorization_id: "9",
      request_id: null,
      address: null,
      action: "create",
      resource: "securable",
      record_id: "1",
      members: [],
      target: null,
      who: "Ada",
      ...event,
    },
    subjects,
  )
    .map((part) => (typeof part === "string" ? part : `<${part.name ?? part.noun.some}>`))
    .join("");

suite("core/web/console/pages/access/audit/sentence", (test) => {
  test("an event is told with the names of its records", () => {
    assert.is(tell({}), "created <Sales>");
    const group = { role: "Groups", resource: "group", id: "2" };
    assert.is(tell({ action: "associate", target: group }), "shared <Sales> with <Analysts>");
    assert.is(
      tell({ action: "dissociate", target: group }),
      "stopped sharing <Sales> with <Analysts>",
    );
    const member = {
      resource: "group",
      record_id: "2",
      target: { role: "Users", resource: "user", id: "3" },
    };
    assert.is(tell({ action: "associate", ...member }), "added <Ada> to <Analysts>");
    assert.is(
      tell({ action: "update", members: ["name", "contents"] }),
      "changed name and charts of <Sales>",
    );
    assert.is(
      tell({ action: "explain", target: { role: "Users", resource: "user", id: "3" } }),
      "looked at <Sales> as <Ada> sees it",
    );
    assert.is(tell({ resource: "authorization", record_id: "9" }), "signed in");
    assert.is(tell({ resource: "authorization", record_id: "9", action: "delete" }), "signed out");
  });

  test("links of private links, schedules and channels are told in either direction", () => {
    const dashboard = { role: "Dashboard", resource: "securable", id: "1" };
    const link = { action: "associate", resource: "share", record_id: "7", target: dashboard };
    assert.is(tell(link), "created a private link to <Sales>");
    const schedule = { ...link, resource: "schedule", target: { ...dashboard, role: "Securable" } };
    assert.is(tell(schedule), "put <Sales> on a schedule");
    const reversed = { role: "Schedules", resource: "schedule", id: "7" };
    assert.is(tell({ action: "associate", target: reversed }), "put <Sales> on a schedule");
    assert.is(tell({ action: "dissociate", target: reversed }), "took <Sales> off its schedule");
    const channel = { role: "Channels", resource: "channel", id: "4" };
    assert.is(tell({ ...schedule, target: channel }), "added <Desk> to <a schedule>");
  });

  test("an action without a sentence of its own is told with its name", () => {
    assert.is(tell({ action: "owner_recover" }), "recovered the access of the owner");
    assert.is(tell({ action: "some_new_thing" }), "some new thing: <Sales>");
  });
});
