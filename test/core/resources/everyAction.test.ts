import * as assert from "uvu/assert";
import { declarations } from "../../../core/resources/index.ts";
import { rulesOf } from "../../../core/resources/kernel/index.ts";
import {
  everyAction,
  everyStep,
  openWorld,
  outcomesAsMarkdown,
  type Outcome,
} from "../../support/everyAction.ts";
import { layer } from "../../support/layer.ts";
import { suite } from "../../support/suite.ts";

/** Associations that cannot be removed, because the record must always have an associated record. */
const lasting = [
  "organization Users",
  "user Organizations",
  "account Owner",
  "alert User",
  "channel Owner",
  "collection Owner",
  "formula Owner",
  "integration Owner",
  "plugin Owner",
  "schedule User",
  "securable Owner",
];

suite("core/host: every action of every resource", (test) => {
  let outcomes: readonly Outcome[];
  let operations: readonly (readonly [string, string])[];
  let steps: { readonly count: number; readonly refused: readonly string[] };
  let events: readonly Readonly<Record<string, unknown>>[];
  test.before(async () => {
    const world = await openWorld();
    try {
      operations = await world.operations();
      // The quick layer calls every action without HTTP: `statements.test.ts` and `declarations.test.ts`.
      if (layer === "deep") outcomes = await everyAction(world);
      steps = await everyStep(world);
      const where = { request_id: { not: null } };
      events = (await world.owner.get("auditevent", { where, limit: 10_000 })).rows;
    } finally {
      await world.close();
    }
  });

  test.deep(
    "an owner can call every action over HTTP, but cannot remove associations that must exist",
    () => {
      const refused = outcomes.filter(({ outcome }) => outcome !== "done");
      const ends = refused.filter(
        ({ action, outcome }) => action === "dissociate" && outcome.startsWith("409"),
      );
      const others = refused.filter((each) => !ends.includes(each));
      assert.equal(others, []);
      const named = ends.map(({ resource, association }) => `${resource} ${association}`);
      assert.equal(named.toSorted(), lasting.toSorted());
    },
  );

  test.deep("the API description contains exactly the actions that can be called", () => {
    const done = new Set(outcomes.map(({ resource, action }) => `${resource} ${action}`));
    const described = operations.map((operation) => operation.join(" "));
    assert.ok(described.length > 150, String(described.length));
    assert.equal([...done].toSorted(), described.toSorted());
  });

  test("each action of the account page is described and accepts the described kind of caller", () => {
    assert.equal(steps.refused, []);
    assert.is(steps.count, 10);
  });

  test.deep(
    "every action, including links, pushes and calls by end users, is audited with the caller's address",
    () => {
      const named = (row: Readonly<Record<string, unknown>>) =>
        `${row["action"]} ${row["resource"]}`;
      const kinds = new Set(events.map(named));
      for (const kind of [
        "associate organization",
        "dissociate group",
        "create data",
        "create user",
      ])
        assert.ok(kinds.has(kind), `${kind} among ${[...kinds].join(", ")}`);
      const bare = events.filter(({ address }) => address !== "127.0.0.1").map(named);
      assert.equal([...new Set(bare)], []);
    },
  );

  test.deep(
    "the table in the documentation contains every action with the role that it requires",
    () => {
      const lines = outcomesAsMarkdown(outcomes).split("\n");
      for (const declaration of declarations.values()) {
        const line = lines.find((each) => each.startsWith(`| ${declaration.name} |`)) ?? "";
        for (const { action, association, own, other } of rulesOf(declaration)) {
          const cell = association ? `${association} (${own}, ${other}` : `${action} (${own})`;
          assert.ok(line.includes(cell), `${declaration.name}: ${cell}`);
        }
      }
      assert.is(lines.filter((line) => line.includes("refused")).length, 0);
    },
  );
});
