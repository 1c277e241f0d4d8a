import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import * as assert from "uvu/assert";
import { featureFlags, type FeatureName } from "../../../../../core/identity/access/index.ts";
import { createClient } from "../../../../../core/web/client/index.ts";
import { openTestCatalog, type TestCatalog } from "../../../../support/catalog.ts";
import { refused as refusedCall } from "../../../../support/refused.ts";
import { rounds } from "../../../../support/layer.ts";
import { testPace } from "../../../../support/testPace.ts";
import { suite } from "../../../../support/suite.ts";
import { openPeople, sumOf, type Dataset, type People, type Person } from "../../../openPeople.ts";

type Json = Readonly<Record<string, unknown>>;

/** A call that needs a feature. */
interface Door {
  readonly name: string;
  /** The flags that the call needs. Removing any one of them makes the call fail. */
  readonly closedBy: readonly FeatureName[];
  /** Whether embed tokens may also make the call. */
  readonly isForTokens?: boolean;
  run(by: Person): Promise<{ readonly status: number; readonly body: Json }>;
}

const closable = (Object.keys(featureFlags) as FeatureName[]).filter(
  (flag) => featureFlags[flag].usual === "on",
);
const daily = { unit: "day", quantity: 1 };

suite("core/host: removed features", (test) => {
  let catalog: TestCatalog;
  let people: People;
  let dataset: Dataset;
  let doors: readonly Door[];
  /** Records of an owner. The calls use the owner's keys. */
  let own: Record<string, string>;

  const post = async (by: Person, resource: string, body: Json) => {
    const answer = await fetch(`${people.host.url}/0.1.0/${resource}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ version: "0.1.0", ...by.pair, ...body }),
    });
    const text = await answer.text();
    const isJson = answer.headers.get("content-type")?.includes("json") === true;
    return { status: answer.status, body: isJson ? (JSON.parse(text) as Json) : {} };
  };
  const keyOf = async (by: Person, feature_overrides: readonly string[]): Promise<Person> => {
    const { id, token } = await by.create<{ id: string; token: string }>("authorization", {
      type: "api",
      feature_overrides,
    });
    const pair = { key: id, token };
    return { ...createClient({ url: people.host.url, ...pair }), id: by.id, pair };
  };
  const setFlags = (user: Person, feature_overrides: readonly string[]) =>
    people.owner.update("user", user.id, { feature_overrides });
  const boardOf = (properties: Json = {}) => ({
    type: "dashboard",
    name: { en: "B" },
    ...properties,
  });
  const themed = (id: string) => ({
    contents: {
      version: "0.1.99",
      views: [{ screenModus: "desktop", items: [], options: { theme: { id } } }],
    },
  });
  const alertOf = () => ({ name: "A", query: sumOf(dataset), frequency: daily });

  const makeDoors = (): readonly Door[] => {
    const door = (
      name: string,
      closedBy: Door["closedBy"],
      [resource, body]: readonly [string, () => Json],
      isForTokens = false,
    ): Door => ({ name, closedBy, isForTokens, run: (by) => post(by, resource, body()) });
    const create = (resource: string, properties: () => Json) =>
      [resource, () => ({ action: "create", properties: properties() })] as const;
    const update = (resource: string, id: string, properties: () => Json) =>
      [resource, () => ({ action: "update", id: own[id], properties: properties() })] as const;
    const link = (
      resource: string,
      id: string,
      role: string,
      other: string,
      action = "associate",
    ) =>
      [
        resource,
        () => ({ action, id: own[id], resource: { role, id: own[other] }, properties: {} }),
      ] as const;
    const find = (resource: string, found: Json = {}) =>
      [resource, () => ({ action: "get", find: { limit: 1, ...found } })] as const;
    const ai = (...flags: FeatureName[]) => flags;
    const [chart, text] = ["flag_ai_chart_generator", "flag_add_ai_items"] as const;
    return [
      door("alert create", ["flag_alerting"], create("alert", alertOf), true),
      door(
        "alert update",
        ["flag_alerting"],
        update("alert", "alert", () => ({ name: "A" })),
      ),
      door(
        "alert validate",
        ["flag_alerting"],
        ["alert", () => ({ action: "validate", properties: alertOf() })],
        true,
      ),
      door(
        "alert preview",
        ["flag_alerting"],
        ["alert", () => ({ action: "preview", id: own["alert"] })],
      ),
      door(
        "alert test",
        ["flag_alerting"],
        ["alert", () => ({ action: "test", id: own["alert"] })],
      ),
      door("alert link", ["flag_alerting"], link("alert", "alert", "Channels", "channel")),
      door(
        "alert link from its channel",
        ["flag_alerting"],
        link("schedule", "schedule", "Alerts", "alert"),
      ),
      door("alert get", [], find("alert"), true),
      door(
        "export create",
        ["flag_export"],
        create("export", () => ({ type: "csv", query: queryOf() })),
        true,
      ),
      door(
        "dataexport create",
        ["flag_export"],
        create("dataexport", () => ({ type: "json", query: queryOf() })),
        true,
      ),
      door("export get", ["flag_export"], ["export", () => ({ action: "get" })], true),
      door(
        "schedule of a dashboard",
        ["flag_export"],
        link("schedule", "schedule", "Securable", "board"),
      ),
      door(
        "schedule of a dashboard from its side",
        ["flag_export"],
        link("securable", "board", "Schedules", "schedule"),
      ),
      door(
        "form of a scheduled export",
        ["flag_export"],
        create("schedule", () => ({ export: { type: "png" } })),
      ),
      door(
        "schedule create",
        [],
        create("schedule", () => ({})),
      ),
      door(
        "share with a user",
        ["flag_private_sharing"],
        link("securable", "board", "Users", "other"),
      ),
      door(
        "share from the user's side",
        ["flag_private_sharing"],
        link("user", "other", "Securables", "board"),
      ),
      door(
        "share with a group",
        ["flag_private_sharing"],
        link("securable", "board", "Groups", "group"),
      ),
      door(
        "share at the create",
        ["flag_private_sharing"],
        [
          "securable",
          () => ({
            action: "create",
            properties: boardOf(),
            associations: [{ role: "Users", id: own["other"] }],
          }),
        ],
      ),
      door(
        "end of a share",
        ["flag_private_sharing"],
        link("securable", "board", "Users", "other", "dissociate"),
      ),
      door(
        "collection with a user",
        ["flag_private_sharing"],
        link("collection", "collection", "Users", "other"),
      ),
      door("member of a group", ["flag_private_sharing"], link("group", "group", "Users", "other")),
      door(
        "private link",
        ["flag_private_sharing"],
        create("share", () => ({})),
      ),
      {
        name: "another owner",
        closedBy: ["flag_private_sharing"],
        async run(by) {
          const { id } = await people.owner.create<{ id: string }>("securable", boardOf());
          const resource = { role: "Owner", id: own["other"] };
          return post(by, "securable", { action: "associate", id, resource });
        },
      },
      door("collection link", [], link("collection", "collection", "Securables", "board")),
      door(
        "push of a new dataset",
        ["flag_create_datasets"],
        create("data", () => ({
          type: "create",
          data: [["a"]],
          options: { header: ["x"] },
        })),
      ),
      door(
        "push to a dataset",
        [],
        create("data", () => ({
          type: "append",
          securable_id: dataset.id,
          data: [["west", 7]],
        })),
      ),
      door(
        "securable create dataset",
        ["flag_create_datasets"],
        create("securable", () => ({ type: "dataset", name: { en: "D" } })),
      ),
      door(
        "dataprovider create",
        ["flag_create_datasets"],
        create("dataprovider", () => ({ account_id: randomUUID(), datasets: ["x"] })),
      ),
      door(
        "acceleration create",
        ["flag_acceleration"],
        create("acceleration", () => ({})),
      ),
      door(
        "acceleration link",
        ["flag_acceleration"],
        link("securable", "dataset", "Acceleration", "acceleration"),
      ),
      door("acceleration get", [], find("acceleration")),
      door("version get", ["flag_version_history"], find("securableversion")),
      door(
        "version by include",
        ["flag_version_history"],
        find("securable", { include: [{ model: "securableversion" }] }),
      ),
      door(
        "version publish",
        ["flag_version_history"],
        update("securableversion", "version", () => ({ environment: "qa" })),
      ),
      door(
        "theme create",
        ["flag_theming"],
        create("theme", () => ({ name: "T", theme: {} })),
      ),
      door(
        "theme of a dashboard",
        ["flag_theming"],
        create("securable", () => boardOf(themed(randomUUID()))),
        true,
      ),
      door(
        "theme of a saved dashboard",
        ["flag_theming"],
        update("securable", "board", () => themed(randomUUID())),
      ),
      door(
        "token with a theme",
        ["flag_theming"],
        create("authorization", () => ({ type: "embed", username: "t", theme_id: "default" })),
      ),
      door(
        "css of a dashboard",
        ["flag_css_inject"],
        create("securable", () => boardOf({ css: "a{}" })),
        true,
      ),
      door(
        "css of a saved dashboard",
        ["flag_css_inject"],
        update("securable", "board", () => ({ css: `a${randomUUID()}{}` })),
      ),
      door(
        "token with css",
        ["flag_css_inject"],
        create("authorization", () => ({ type: "embed", username: "t", css: "a{}" })),
      ),
      door(
        "dashboard create",
        [],
        create("securable", () => boardOf()),
        true,
      ),
      door(
        "aichart",
        ai(chart),
        create("aichart", () => ({})),
        true,
      ),
      door(
        "iqformula",
        ai(chart),
        create("iqformula", () => ({})),
      ),
      door(
        "aiprompt",
        ai(chart, text),
        create("aiprompt", () => ({})),
        true,
      ),
      door(
        "iqmessage",
        ai(chart, text),
        create("iqmessage", () => ({})),
        true,
      ),
      door(
        "aimessage",
        ai(chart, text),
        ["aimessage", () => ({ action: "create", options: {}, properties: {} })],
        true,
      ),
      door(
        "aisummary",
        ai(text),
        create("aisummary", () => ({})),
        true,
      ),
      door(
        "generate_descriptions",
        ai(text),
        create("generate_descriptions", () => ({})),
      ),
      door(
        "data get",
        [],
        ["data", () => ({ action: "get", find: { queries: [sumOf(dataset)] } })],
        true,
      ),
    ];
  };
  const queryOf = () => ({ ...sumOf(dataset), options: { cells: "plain" } });

  test.before(async () => {
    catalog = await openTestCatalog();
    people = await openPeople({ databaseUrl: catalog.databaseUrl, pace: testPace });
    dataset = await people.push();
    const { owner } = people;
    const other = await people.add(`other-${randomUUID()}`);
    const make = async (resource: string, properties: Json) =>
      (await owner.create<{ id: string }>(resource, properties)).id;
    own = {
      dataset: dataset.id,
      other: other.id,
      board: await make("securable", boardOf()),
      alert: await make("alert", alertOf()),
      channel: await make("channel", {
        name: "C",
        type: "email",
        config: { recipients: [{ email: "a@example.org" }] },
      }),
      schedule: await make("schedule", { active: false }),
      group: await make("group", { name: "G" }),
      collection: await make("collection", { name: "K" }),
      acceleration: await make("acceleration", {}),
    };
    const versions = await owner.get("securableversion", {
      where: { securable_id: own["board"] },
    });
    own["version"] = String(versions.rows[0]?.["id"]);
    doors = makeDoors();
  });
  test.after(async () => {
    await people?.close();
    await catalog?.close();
  });

  const refused = (flag: string) => new RegExp(`!${flag}\\b`);

  test("removing a feature flag from a key makes only the calls of that feature fail", async () => {
    const usual = new Map<string, number>();
    /** Number of other calls per call that is tried with a flag that it does not need. */
    const share = rounds({ quick: closable.length * 4, deep: 1 });
    for (const flag of closable) {
      const key = await keyOf(people.owner, [`!${flag}`]);
      const place = closable.indexOf(flag);
      for (const [index, { name, closedBy, run }] of doors.entries()) {
        const isTried = (index + place) % share === 0;
        if (!closedBy.includes(flag) && !isTried) continue;
        if (!closedBy.includes(flag) && !usual.has(name))
          usual.set(name, (await run(people.owner)).status);
        const { status, body } = await run(key);
        if (closedBy.includes(flag)) {
          assert.is(status, 403, `${name} without ${flag}`);
          assert.match(String(body["message"]), refused(flag));
        } else
          assert.is(status, usual.get(name), `${name} without ${flag}: ${JSON.stringify(body)}`);
      }
    }
    for (const flag of closable)
      assert.ok(
        doors.some(({ closedBy }) => closedBy.includes(flag)),
        flag,
      );
  });

  test("a call with an embed token fails if the token, its user or its issuer lacks the feature", async () => {
    const access = { datasets: [{ id: dataset.id, rights: "use" }] };
    const mint = (username: string, feature_overrides: readonly string[], by?: Person) =>
      people.mint({ username, role: "owner", access, feature_overrides }, by);
    for (const flag of closable) {
      const forTokens = doors.filter((door) => door.isForTokens && door.closedBy.includes(flag));
      const issuer = await keyOf(people.owner, [`!${flag}`]);
      const ofUser = await mint(`u-${flag}`, []);
      await setFlags(ofUser, [`!${flag}`]);
      const tokens = [await mint("t", [`!${flag}`]), await mint("t", [flag], issuer), ofUser];
      for (const token of tokens)
        for (const { name, run } of forTokens) {
          const { status, body } = await run(token);
          assert.is(status, 403, `${name} without ${flag}`);
          assert.match(String(body["message"]), refused(flag));
        }
    }
    const open = await mint("open", []);
    for (const { name, isForTokens, run } of doors)
      if (isForTokens) assert.is.not((await run(open)).status, 403, name);
  });

  test("removing a feature from an owner affects the owner's existing keys and tokens at once", async () => {
    const ada = await people.add(`ada-${randomUUID()}`, {}, { flagOwn: true });
    const access = { datasets: [{ id: dataset.id, rights: "use" }] };
    await people.owner.associate(
      "securable",
      dataset.id,
      { role: "Users", id: ada.id },
      { flagOwn: true },
    );
    const token = await people.mint({ role: "designer", access }, ada);
    const creation = { action: "create", properties: alertOf() };
    assert.is((await post(ada, "alert", creation)).status, 200);
    assert.is((await post(token, "alert", creation)).status, 200);
    await setFlags(ada, ["!flag_alerting"]);
    for (const by of [ada, token]) {
      const { status, body } = await post(by, "alert", creation);
      assert.is(status, 403);
      assert.match(String(body["message"]), /!flag_alerting/);
    }
    await setFlags(ada, []);
    assert.is((await post(token, "alert", creation)).status, 200);
  });

  const until = async <Found>(find: () => Promise<Found | undefined>): Promise<Found> => {
    for (;;) {
      const found = await find();
      if (found !== undefined) return found;
      await sleep(100);
    }
  };
  const makeDue = async (id: unknown) => {
    await catalog
      .knex("schedule")
      .where({ id: String(id) })
      .update({ scheduled_at: catalog.knex.raw("now() - interval '1 minute'") });
  };
  const messageOf = async (call: Promise<unknown>) => {
    const { status, message } = await refusedCall(call);
    return `${status} ${message}`;
  };

  test("a change of feature flags that is made directly in the catalog takes effect on every host", async () => {
    const bob = await people.add(`bob-${randomUUID()}`);
    const exportNow = () => post(bob, "export", { action: "get" });
    assert.is((await exportNow()).status, 200);
    await catalog
      .knex("user")
      .where({ id: bob.id })
      .update({ feature_overrides: JSON.stringify(["!flag_export"]) });
    await until(async () => ((await exportNow()).status === 403 ? true : undefined));
  });

  test("the alert of a user who lost the alerting feature stops and records the reason", async () => {
    const cem = await people.add(`cem-${randomUUID()}`, {}, { flagOwn: true });
    const link = { role: "Users", id: cem.id };
    await people.owner.associate("securable", dataset.id, link, { flagUse: true });
    const alert = await cem.create<{ id: string; schedule_id: string }>("alert", alertOf());
    await setFlags(cem, ["!flag_alerting"]);
    await makeDue(alert.schedule_id);
    const find = { where: { id: alert.id } };
    const stopped = await until(async () => {
      const { rows } = await cem.get("alert", find);
      return rows[0]?.["stopped_reason"] ?? undefined;
    });
    assert.match(String(stopped), /!flag_alerting/);
    await cem.delete("alert", alert.id);
  });

  test("the scheduled export of a user who lost the export feature stops and records the reason", async () => {
    const dan = await people.add(`dan-${randomUUID()}`);
    const { id: board } = await dan.create<{ id: string }>("securable", boardOf());
    const { id } = await dan.create<{ id: string }>("schedule", {
      frequency_unit: "year",
      frequency_quantity: 1,
    });
    await dan.associate("schedule", id, { role: "Securable", id: board });
    await setFlags(dan, ["!flag_export"]);
    await makeDue(id);
    const [event] = await until(async () => {
      const { rows } = await dan.get("exportevent", { where: { schedule_id: id } });
      return rows.length > 0 ? rows : undefined;
    });
    assert.is(event?.["outcome"], "skipped");
    assert.match(String(event?.["reason"]), /!flag_export/);
    const { rows } = await dan.get("schedule", { where: { id } });
    assert.is(rows[0]?.["active"], false);
  });

  test("a link to an export stops working once its owner may no longer export", async () => {
    const eve = await people.add(`eve-${randomUUID()}`);
    const mine = await people.push(eve);
    const made = await post(eve, "export", {
      action: "create",
      properties: { type: "csv", query: sumOf(mine), deliver: "link" },
    });
    const url = await until(async () => {
      const { body } = await post(eve, "export", {
        action: "get",
        find: { where: { id: made.body["id"] } },
      });
      const [file] = body["rows"] as readonly Json[];
      return file?.["url"] ?? undefined;
    });
    assert.is((await fetch(String(url))).status, 200);
    await setFlags(eve, ["!flag_export"]);
    assert.is.not((await fetch(String(url))).status, 200);
    assert.is((await post(eve, "export", { action: "delete", id: made.body["id"] })).status, 200);
  });

  test("a private link stops working once its owner may no longer share", async () => {
    const fay = await people.add(`fay-${randomUUID()}`, {}, { flagOwn: true });
    const { id: board } = await fay.create<{ id: string }>("securable", boardOf());
    const share = await fay.create<{ id: string }>("share", {});
    await fay.associate("share", share.id, { role: "Dashboard", id: board });
    const group = { role: "Groups", id: people.publicGroup };
    await fay.associate("securable", board, group, { flagRead: true });
    const open = () =>
      people.call("securable", { action: "get", key: share.id, find: { where: { id: board } } });
    assert.is((await open()).status, 200);
    await setFlags(fay, ["!flag_private_sharing"]);
    const { status, body } = await open();
    assert.is(status, 403);
    assert.match(String(body["message"]), /!flag_private_sharing/);
  });

  test("the error for removing an unknown feature flag suggests a similar flag and lists the known flags", async () => {
    const wrong = [
      "!flag_exprot",
      "!flag_EXPORT",
      "! flag_export",
      " !flag_export",
      "!flag_export ",
      "!!flag_export",
      "!export",
      "!FLAG_EXPORT",
      "!",
    ];
    for (const flag of [...wrong, "flag_Export", "flag export", "-flag_export", ""]) {
      const properties = { type: "api" as const, feature_overrides: ["!flag_alerting", flag] };
      for (const call of [
        () => people.owner.create("authorization", properties),
        () => people.owner.update("user", own["other"]!, { feature_overrides: [flag] }),
      ]) {
        const message = await messageOf(call());
        assert.match(message, /^400 .*feature_overrides/, flag);
        assert.match(message, "flag_export", flag);
      }
    }
    const meant = await messageOf(
      people.owner.create("authorization", { type: "api", feature_overrides: ["!flag_exprot"] }),
    );
    assert.match(meant, "did you mean !flag_export?");
    assert.match(meant, "!flag_version_history");
    for (const feature_overrides of [[1], [null], [{}], "!flag_export", { a: 1 }]) {
      const { status } = await post(people.owner, "authorization", {
        action: "create",
        properties: { type: "api", feature_overrides },
      });
      assert.is(status, 400);
    }
    const given = { type: "embed" as const, feature_overrides: ["!flag_exprot"] };
    const looked = await people.owner.call("authorization", "validate", {
      properties: given,
    });
    assert.is(looked["valid"], false);
    assert.match(String(looked["message"]), "!flag_export");
  });

  test("warnings name feature flags that have no effect or are both added and removed", async () => {
    const flags = [
      "flag_opendataboard",
      "!flag_tour",
      "flag_gone",
      "flag_alerting",
      "!flag_export",
      "flag_export",
    ];
    const made = await people.owner.create<{ warnings: string[]; id: string; token: string }>(
      "authorization",
      { type: "api", feature_overrides: flags },
    );
    for (const flag of [
      "flag_opendataboard",
      "!flag_tour",
      "flag_gone",
      "flag_alerting",
      "flag_export",
    ])
      assert.ok(
        made.warnings.some((warning) => warning.startsWith(`${flag} `)),
        flag,
      );
    const pair = { key: made.id, token: made.token };
    const by = { ...people.owner, pair };
    assert.is((await post(by, "export", { action: "get" })).status, 403);
    const plain = await people.owner.create<Json>("authorization", {
      type: "api",
      feature_overrides: ["!flag_export"],
    });
    assert.is(plain["warnings"], undefined);
    const user = await people.owner.update<Json>("user", own["other"]!, {
      feature_overrides: ["flag_mcp_write"],
    });
    assert.match(String(user["warnings"]), /flag_mcp_write has no effect for a user/);
  });

  test("the explain action lists the state of each feature flag and who set the state", async () => {
    const gus = await people.add(`gus-${randomUUID()}`, {}, { flagOwn: true });
    const issuer = await keyOf(gus, []);
    const token = await people.mint(
      { username: "seen", feature_overrides: ["!flag_export", "flag_mcp_write", "flag_x"] },
      issuer,
    );
    await setFlags(gus, ["!flag_alerting"]);
    await setFlags(token, ["!flag_theming"]);
    const explained = await issuer.call("authorization", "explain", {
      id: token.pair.key,
    });
    const of = (flag: string) => {
      const found = explained.features.find((each) => each["flag"] === flag);
      return [found?.["state"], found?.["set_by"]];
    };
    for (const flag of Object.keys(featureFlags)) assert.ok(of(flag)[0], flag);
    assert.equal(of("flag_export"), ["off", "token"]);
    assert.equal(of("flag_alerting"), ["off", "issuer"]);
    assert.equal(of("flag_theming"), ["off", "user"]);
    assert.equal(of("flag_mcp_write"), ["on", "token"]);
    assert.equal(of("flag_css_inject"), ["on", null]);
    assert.equal(of("flag_tour"), ["no_effect", null]);
    assert.equal(of("flag_x"), ["no_effect", "token"]);
  });

  test("users cannot grant themselves or others a feature that they lack", async () => {
    const hal = await people.add(`hal-${randomUUID()}`);
    const ida = await people.add(`ida-${randomUUID()}`, {}, { flagOwn: true });
    const jan = await people.add(`jan-${randomUUID()}`);
    for (const user of [hal, ida, jan]) await setFlags(user, ["!flag_export"]);
    const lift = (by: Person, user: Person) =>
      messageOf(by.update("user", user.id, { feature_overrides: [] }));
    assert.match(await lift(hal, hal), /^403 .*owner of the organization/);
    assert.match(await lift(ida, ida), /^409 .*users cannot set their own/);
    assert.match(await lift(ida, jan), /^403 .*flag_export/);
    assert.match(
      await messageOf(ida.update("user", jan.id, { password: "a long new password" })),
      /^403 .*!flag_export/,
    );
    await ida.update("user", ida.id, { feature_overrides: ["!flag_export"], city: "Ghent" });
    const made = await ida.create<Json>("user", { email: `kim-${randomUUID()}@example.org` });
    assert.equal(made["feature_overrides"], ["!flag_export"]);
    assert.match(String(made["warnings"]), /!flag_export/);
    await setFlags(jan, []);
    assert.is((await post(jan, "export", { action: "get" })).status, 200);
  });

  test("keys, tokens and sessions lack the features that were removed from the key that created them", async () => {
    const key = await keyOf(people.owner, ["!flag_export", "flag_export"]);
    const api = await keyOf(key, ["flag_export"]);
    const embed = await people.mint({ username: "made", feature_overrides: ["flag_export"] }, api);
    for (const by of [api, await keyOf(api, []), embed]) {
      const { status, body } = await post(by, "export", { action: "get" });
      assert.is(status, 403);
      assert.match(String(body["message"]), /!flag_export/);
    }
    const begun = await fetch(`${people.host.url}/auth/session`, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        Origin: people.host.url,
        "X-Manifold-Console": "1",
      },
      body: JSON.stringify(key.pair),
    });
    const shown = (await begun.json()) as Json;
    assert.is(begun.status, 200, JSON.stringify(shown));
    assert.equal((shown["features"] as Json)["removed"], ["flag_export"]);
    const cookie = begun.headers
      .getSetCookie()
      .map((each) => each.split(";")[0])
      .join("; ");
    const inSession = await fetch(`${people.host.url}/0.1.0/export`, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        Origin: people.host.url,
        "X-Manifold-Console": "1",
        Cookie: cookie,
      },
      body: JSON.stringify({ action: "get", version: "0.1.0" }),
    });
    assert.is(inSession.status, 403);
    assert.match(
      await messageOf(key.update("user", key.id, { password: "a long new password" })),
      /^403 .*!flag_export/,
    );
  });

  test("users cannot configure sign-on, start schedules or resend messages without the required feature", async () => {
    const ada = await people.add(`lea-${randomUUID()}`, {}, { flagOwn: true });
    const { id: board } = await ada.create<{ id: string }>("securable", boardOf());
    const schedule = await ada.create<{ id: string }>("schedule", { active: false });
    await ada.associate("schedule", schedule.id, { role: "Securable", id: board });
    const [failed] = await catalog
      .knex("delivery")
      .insert({
        id: randomUUID(),
        user_id: ada.id,
        kind: "alert",
        outcome: "failed",
        attempts: 1,
        created_at: new Date(),
        updated_at: new Date(),
      })
      .returning("id");
    await setFlags(ada, ["!flag_export", "!flag_alerting"]);
    const config = { issuer: "https://login.invalid", client_id: "c", client_secret: "s" };
    for (const [call, flag] of [
      [
        () => ada.create("ssoconfig", { name: "S", type: "openid", config }),
        "!flag_export, !flag_alerting",
      ],
      [() => ada.update("schedule", schedule.id, { active: true }), "!flag_export"],
      [() => ada.call("delivery", "resend", { id: String(failed?.id) }), "!flag_alerting"],
    ] as const) {
      const message = await messageOf(call());
      assert.match(message, /^403 /);
      assert.match(message, flag);
    }
  });

  test("feature flags cannot be set at sign-up", async () => {
    const open = await openPeople({ signUp: true });
    try {
      const properties = { email: "founder@example.org", feature_overrides: ["!flag_export"] };
      const { status, body } = await open.call("user", { action: "create", properties });
      assert.is(status, 400);
      assert.match(String(body["message"]), "properties.feature_overrides");
      const plain = { email: "founder@example.org", feature_overrides: [] };
      assert.is((await open.call("user", { action: "create", properties: plain })).status, 200);
    } finally {
      await open.close();
    }
  });
});
