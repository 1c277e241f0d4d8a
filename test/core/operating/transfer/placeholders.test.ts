import { randomUUID } from "node:crypto";
import * as assert from "uvu/assert";
import {
  fillPlaceholders,
  hideSecrets,
  placeholderProblem,
  secretive,
  variableOf,
} from "../../../../core/operating/transfer/placeholders.ts";
import { carried, kindNames } from "../../../../core/operating/transfer/kinds.ts";
import type { TransferRecord } from "../../../../core/operating/transfer/record.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";

const account = (properties: Record<string, unknown>): TransferRecord => ({
  kind: "account",
  id: randomUUID(),
  properties,
  links: {},
});

suite("core/operating/transfer/placeholders", (test) => {
  test("an export replaces each secret with a variable of its own, from which `apply` restores the secret", () => {
    const random = createRandom();
    return withSeed(random, async () => {
      for (let round = 0; round < 100; round++) {
        const text = () =>
          random.pick([
            "Sales",
            "sales",
            "Sälés db",
            "",
            "a-b",
            "a_b",
            "${X}",
            "$${X}",
            "$${",
            "日本",
          ]);
        const records = Array.from({ length: 1 + random.below(6) }, () => {
          const names = random.some(["a-b", "a_b", "password", "日本", "é"], 0.5);
          return account({
            name: random.chance(0.5) ? text() : { en: text() },
            scope: text(),
            host: text(),
            identifier: random.chance(0.5) ? text() : null,
            properties: Object.fromEntries(names.map((name) => [name, null])),
          });
        });
        const hidden = hideSecrets(records);
        const environment: Record<string, string> = {};
        let count = 0;
        for (const { properties } of hidden) {
          const inner = Object.values(properties["properties"] as Record<string, unknown>);
          for (const value of [properties["token"], properties["identifier"], ...inner]) {
            if (value === null) continue;
            const variable = variableOf(value);
            assert.ok(variable, JSON.stringify(value));
            assert.is(placeholderProblem(value), undefined);
            assert.not.ok(variable in environment, `${variable} is used for two secrets`);
            environment[variable] = `secret ${count++}`;
          }
        }
        for (const [index, record] of hidden.entries()) {
          const { properties, unset } = fillPlaceholders(record, environment);
          assert.equal(unset, []);
          const plain = records[index]!.properties;
          for (const member of ["name", "scope", "host"])
            assert.equal(properties[member], plain[member], member);
          const nothing = fillPlaceholders(record, {});
          assert.is(
            nothing.unset.length,
            1 +
              Number(plain["identifier"] !== null) +
              Object.keys(plain["properties"] as object).length,
          );
          assert.not.match(JSON.stringify(nothing.properties), "MANIFOLD_ACCOUNT");
        }
      }
    });
  });

  test("a placeholder in a file can name only environment variables for accounts, plugins and channels", () => {
    for (const name of [
      "MANIFOLD_TOKEN",
      "MANIFOLD_SECRET",
      "DATABASE_URL",
      "PATH",
      "MANIFOLD_ACCOUNT",
    ])
      assert.match(placeholderProblem(`\${${name}}`) ?? "", name);
    for (const text of ["${}", "a ${PATH}", "$${PATH}", "plain", 5, null])
      assert.is(placeholderProblem(text), undefined);
  });

  test("an export hides all secrets, whatever kind of record contains them", () => {
    const found = kindNames.filter((kind) =>
      [...carried(kind).values()].some(({ secret, sealed }) => secret || sealed),
    );
    assert.ok(found.includes("account"));
    assert.equal(
      found.filter((kind) => !secretive.includes(kind)),
      [],
    );
  });

  test("strings in kinds of records without secrets do not change, even if they look like placeholders", () => {
    const board: TransferRecord = { ...account({ name: { en: "${X}" } }), kind: "dashboard" };
    assert.equal(hideSecrets([board]), [board]);
    assert.equal(fillPlaceholders(board, { X: "filled" }).properties, board.properties);
  });
});
