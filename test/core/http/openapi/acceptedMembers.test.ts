import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import * as assert from "uvu/assert";
import { actions } from "../../../../core/base/contracts/index.ts";
import { describedActions, operationOf } from "../../../../core/http/openapi/operationOf.ts";
import { declarations } from "../../../../core/resources/index.ts";
import { suite } from "../../../support/suite.ts";

const core = join(import.meta.dirname, "../../../../core");
/** Members that every body may contain. */
const envelope = ["action", "version", "key", "token"];
/** Names that older clients send instead of described names. */
const formerNames: Readonly<Record<string, string>> = { "validate resource": "properties" };
/** Folders whose code reads bodies that are not those of API calls, or whose code sends API calls itself. */
const elsewhere =
  /^(identity\/(access|account|signOn\/scim)|web|operating\/isolation|sources\/connections\/overHttp|http\/(middleware|openapi|server))\//;

/** Returns the members that source files read from the body of a call, by the path of the file. */
function membersRead(): ReadonlyMap<string, ReadonlySet<string>> {
  const read = new Map<string, Set<string>>();
  for (const path of globSync("**/*.ts", { cwd: core })) {
    if (elsewhere.test(path)) continue;
    const text = readFileSync(join(core, path), "utf8");
    const names = [
      ...Array.from(text.matchAll(/(?<![\w.])(?:call\.)?body\.(\w+)/g), ([, name = ""]) => name),
      ...Array.from(text.matchAll(/const \{([^{}]*)\} = (?:call\.)?body;/g), ([, list = ""]) =>
        list.split(",").map((each) => each.trim().replace(/[ :=].*$/, "")),
      ).flat(),
    ].filter((name) => name !== "" && !envelope.includes(name));
    if (names.length > 0) read.set(path.replaceAll("\\", "/"), new Set(names));
  }
  return read;
}

/** Returns the members that the API description declares for an action, or for any action. */
function membersDeclared(action?: string): ReadonlySet<string> {
  const declared = new Set<string>();
  for (const [resource, listed] of describedActions(declarations))
    for (const each of listed.filter((one) => action === undefined || one === action))
      for (const name of Object.keys(operationOf(resource, each, declarations)?.members ?? {}))
        declared.add(name);
  return declared;
}

suite("core/http/openapi: members of bodies", (test) => {
  const read = membersRead();
  const inKernel = [...read].filter(([path]) => dirname(path) === "resources/kernel/actions");

  test("the API description contains each member that an action on records reads from its body", () => {
    assert.ok(inKernel.length >= 5, inKernel.map(([path]) => path).join());
    for (const [path, names] of inKernel) {
      const file = basename(path, ".ts");
      const action = file === "remove" ? "delete" : file;
      assert.ok(
        actions.some((each) => each === action),
        path,
      );
      const declared = membersDeclared(action);
      for (const name of names)
        assert.ok(declared.has(formerNames[`${action} ${name}`] ?? name), `${path}: ${name}`);
    }
  });

  test("the API description contains each member that an action of a service reads from its body", () => {
    const declared = membersDeclared();
    const undescribed = [...read].flatMap(([path, names]) =>
      [...names].filter((name) => !declared.has(name)).map((name) => `${path}: ${name}`),
    );
    assert.ok(read.size > inKernel.length + 8);
    assert.equal(
      undescribed.filter((each) => !inKernel.some(([path]) => each.startsWith(path))),
      [],
    );
    assert.ok(operationOf("data", "create", declarations)?.members["request_id"]);
  });
});
