import * as assert from "uvu/assert";
import { reference } from "../../../core/base/index.ts";
import { parseAccountOverrides, parseParameters } from "../../../core/identity/access/index.ts";
import { parseFilters } from "../../../core/identity/access/tokens/filters.ts";
import { parseHiddenColumns } from "../../../core/identity/access/tokens/hiddenColumns.ts";
import { parseTokenReach } from "../../../core/identity/access/tokens/tokenReach.ts";
import { parseProvider } from "../../../core/identity/signOn/provider.ts";
import { componentSchemas } from "../../../core/http/index.ts";
import { durationMs } from "../../../core/resources/automation/alertRule.ts";
import {
  checkChannelConfig,
  configNames,
} from "../../../core/resources/automation/channelConfig.ts";
import { exportFormProblem } from "../../../core/resources/automation/exportForm.ts";
import { parseFrequency } from "../../../core/resources/automation/frequency.ts";
import { declarations } from "../../../core/resources/index.ts";
import { inspectValue } from "../../../core/resources/kernel/index.ts";
import { rounds } from "../../support/layer.ts";
import { createPartRandom, withSeed } from "../../support/random.ts";
import { mutated, randomOfSchema } from "../../support/randomOfSchema.ts";
import { suite } from "../../support/suite.ts";

const schemas = componentSchemas(declarations);

/** Throws if the check has a problem with a value. */
const refuse = (problem: unknown) => {
  if (problem !== undefined) throw new Error(String(problem));
};

/** The checks of described members, by the name of the schema. Each throws for a value that the API refuses. */
const checks: Readonly<Record<string, (value: unknown) => unknown>> = {
  TokenAccess: (value) => parseTokenReach(value),
  TokenFilter: (value) => parseFilters([value]),
  RowFilter: (value) => parseFilters([value]),
  HiddenColumn: (value) => parseHiddenColumns([value]),
  ParameterOverride: (value) => parseParameters({ name: value }),
  ExportForm: (value) => refuse(exportFormProblem(value)),
  Frequency: (value) => refuse(parseFrequency(value) ? undefined : "no frequency"),
  AlertDuration: (value) => refuse(durationMs(value) > 0 ? undefined : "no duration"),
};

suite("core/resources: described members", (test) => {
  for (const [name, check] of Object.entries(checks))
    test(`the check of ${name} accepts exactly the members that its schema describes`, async () => {
      for (let round = 0; round < rounds({ quick: 60, deep: 2_000 }); round++) {
        const random = createPartRandom(round);
        await withSeed(random, async () => {
          const value = randomOfSchema(reference(name), schemas, random);
          const clears = (each: unknown) => JSON.stringify(each).includes('"clear"');
          // An override has either a value or `clear`, which a schema of members cannot say.
          const isEither = name === "ParameterOverride" && typeof value === "object";
          if (!isEither || (!clears(value) && JSON.stringify(value).includes('"value"')))
            assert.not.throws(() => check(value), JSON.stringify(value));
          const changed = mutated(value, random);
          const inspection = { schemas, isStrict: true };
          const [found] = inspectValue(changed, reference(name), "member", inspection);
          // The value of a filter is checked against its column, when the filter is compiled.
          const isLater = name.endsWith("Filter") && found?.path.startsWith("member.value");
          const isKept = JSON.stringify(changed)?.includes("origin") ?? true;
          if (found?.problem.startsWith("is unknown") && !isLater && !isKept)
            assert.throws(() => check(changed), undefined, JSON.stringify(changed));
        });
      }
    });

  test("the checks of account overrides and providers accept exactly the members of their schemas", () => {
    const texts = { host: "h", user: "u", password: "p", database: "d", schema: "s" };
    const id = "11111111-1111-4111-8111-111111111111";
    const dataset = { ...texts, table: "t", properties: { own: "x" } };
    const account = { ...texts, properties: { own: "x" }, datasets: { [id]: dataset } };
    const inspection = { schemas, isStrict: true };
    const problems = (value: unknown, name: string) => [
      ...inspectValue(value, reference(name), "value", inspection),
    ];
    assert.equal(problems(account, "AccountOverride"), []);
    assert.not.throws(() => parseAccountOverrides({ [id]: account }));
    assert.is(problems({ ...account, tabel: "t" }, "AccountOverride").length, 1);
    assert.throws(() => parseAccountOverrides({ [id]: { ...account, tabel: "t" } }));
    const openid = {
      issuer: "https://id.example.org",
      client_id: "manifold",
      scopes: ["openid"],
      session_hours: 8,
      claims: {
        role: { claim: "roles", values: { admins: "owner" } },
        groups: { claim: "groups", values: { north: id } },
        parameters: { tenant: { claim: "tenants", list: true }, region: "region" },
      },
    };
    assert.equal(problems(openid, "OpenidConfig"), []);
    assert.not.throws(() => parseProvider(openid));
    assert.is(problems({ ...openid, isuer: "x" }, "OpenidConfig").length, 1);
    assert.throws(() => parseProvider({ ...openid, isuer: "x" }));
  });

  test("the check of each type of channel requires the member that the type's schema requires", () => {
    const examples: Readonly<Record<string, object>> = {
      email: { recipients: [{ email: "ada@example.org" }], subject: { en: "{{name}}" } },
      slack: { url: "https://hooks.example.org", text: "{{status}}" },
      sms: { to: "+32 2 555 01 00" },
      teams: { url: "https://hooks.example.org" },
      webhook: { url: "https://example.org", secret: "s" },
    };
    const inspection = { schemas, isStrict: true };
    for (const [type, name] of Object.entries(configNames)) {
      const config = examples[type];
      assert.not.throws(() => checkChannelConfig(type, config), type);
      assert.equal([...inspectValue(config, reference(name), "config", inspection)], [], type);
      assert.throws(() => checkChannelConfig(type, {}), undefined, type);
      const missing = [...inspectValue({}, reference(name), "config", inspection)];
      assert.is(missing.length, type === "sms" ? 0 : 1, `${type}: an sms needs one of two members`);
    }
  });

  test("the components of the API description have different names from records, and every reference names a component", () => {
    const records = [...declarations.keys()].map((name) =>
      name.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    );
    const known = new Set([...Object.keys(schemas), ...records]);
    assert.is(known.size, Object.keys(schemas).length + records.length);
    const text = JSON.stringify(schemas);
    const names = [...text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)];
    assert.ok(names.length > 100);
    for (const [, name = ""] of names) assert.ok(known.has(name), name);
  });
});
